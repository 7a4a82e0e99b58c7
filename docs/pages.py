"""The pages of the documentation site: the repository's Markdown under the paths it has there, so that links hold."""

import re
import subprocess
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

ROOT: Final = Path(__file__).resolve().parents[1]
SHOWN: Final = (
    "*.md",
    "docs/*.md",
    "docs/*.svg",
    "docs/*.js",
    "docs/*.css",
    "examples/README.md",
    "examples/**/*.py",
    "lib/workflow/README.md",
    "skills/README.md",
    "skills/*/*.md",
)
SHIM: Final = "https://unpkg.com/iframe-worker/shim"
OWN_SHIM: Final = "docs/iframe-worker.js"
KINDS: Final = ("README.md", "SKILL.md", "conventions.md")
"""The files of a skill's folder that are pages."""
_CODE: Final = re.compile(r"<code>[^<]*</code>")
_FLAG: Final = re.compile(r"--[a-z][a-z-]*")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Return the files of the site instead of those of the folder `docs`, and the theme's own."""
    globs = [f":(glob){pattern}" for pattern in SHOWN]
    listed = ["git", "-C", str(ROOT), "ls-files", "--", *globs]
    paths = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.splitlines()
    docs = Path(config.docs_dir)
    kept = [file for file in files if not file.abs_src_path or docs not in Path(file.abs_src_path).parents]
    named = {*_named(config.nav)}
    for path in paths:
        if path in named or path.endswith((".svg", ".js", ".css", ".py", *KINDS)):
            level = InclusionLevel.INCLUDED if path in named else InclusionLevel.NOT_IN_NAV
            kept.append(File.generated(config, path, abs_src_path=str(ROOT / path), inclusion=level))
    return Files(kept)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Keep the flags of commands on one line: browsers break after a hyphen."""
    return _CODE.sub(lambda code: _FLAG.sub(r'<span class="flag">\g<0></span>', code[0]), html)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Load the script of offline search from the site instead of from elsewhere."""
    return output.replace(SHIM, get_relative_url(OWN_SHIM, page.file.url))


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Do the same on the page of an address that does not exist, which may be shown in any folder."""
    return output_content.replace(SHIM, f"/{OWN_SHIM}")


def _named(nav: object) -> list[str]:
    """Return the paths in the navigation."""
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ()
    return [path for part in parts for path in _named(part)]
