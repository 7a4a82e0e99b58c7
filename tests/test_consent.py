"""Consent marks: made with this user's key, for one folder; no other run goes on unasked."""

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.workflow.errors import RefusedError
from lib.workflow.state.consent import MARK, Wish, begun, check, is_marked, mark, root_of, why_not
from lib.workflow.state.run_dirs import holder, home_folder, runs_folders, user_folder
from tests.wording import coded


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a user who has no key yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "stepscript"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "one"
    folder.mkdir()
    return folder


@pytest.fixture
def run(project: Path) -> Path:
    """Return a run that this user has started in a project."""
    folder = project / ".stepscript" / "runs" / "x"
    folder.mkdir(parents=True)
    mark(str(folder), str(project), "an agent")
    return folder


def as_it_was(run: Path) -> Path:
    return run


def through_a_link(run: Path) -> Path:
    (run.parents[3] / "link").symlink_to(run.parents[2])
    return run.parents[3] / "link" / ".stepscript" / "runs" / "x"


def moved(run: Path) -> Path:
    return run.rename(run.with_name("y"))


def moved_with_its_project(run: Path) -> Path:
    run.parents[2].rename(run.parents[3] / "two")
    return run.parents[3] / "two" / ".stepscript" / "runs" / "x"


def copied(run: Path) -> Path:
    return Path(shutil.copytree(run, run.with_name("y")))


def unpacked_in_its_place(run: Path) -> Path:
    shutil.copytree(run, run.with_name("y"))
    run.rename(run.with_name("old"))
    return run.with_name("y").rename(run)


def without_its_mark(run: Path) -> Path:
    (run / MARK).unlink()
    return run


def with_another_root_in_its_mark(run: Path) -> Path:
    (run / MARK).write_bytes((run / MARK).read_bytes().replace(b"/one\0", b"/two\0"))
    return run


def with_a_pipe_for_a_mark(run: Path) -> Path:
    (run / MARK).unlink()
    os.mkfifo(run / MARK)
    return run


def with_an_endless_mark(run: Path) -> Path:
    (run / MARK).unlink()
    (run / MARK).symlink_to("/dev/zero")
    return run


def with_a_folder_for_a_mark(run: Path) -> Path:
    (run / MARK).unlink()
    (run / MARK).mkdir()
    return run


def with_another_key(run: Path) -> Path:
    Path(user_folder(), "trust", "key").unlink()
    mark(str(run.parent))
    return run


def without_a_key(run: Path) -> Path:
    Path(user_folder(), "trust", "key").unlink()
    return run


@pytest.mark.parametrize("case", [as_it_was, through_a_link])
def test_run_that_was_started_here_is_marked(case: Callable[[Path], Path], run: Path, project: Path) -> None:
    folder = str(case(run))
    assert is_marked(folder)
    assert is_marked(folder, str(project), "an agent")
    check(folder, str(project), "an agent")


@pytest.mark.parametrize(
    "case",
    [
        *(moved, moved_with_its_project, copied, unpacked_in_its_place, without_its_mark),
        *(with_another_root_in_its_mark, with_a_pipe_for_a_mark, with_an_endless_mark, with_a_folder_for_a_mark),
        *(with_another_key, without_a_key),
    ],
)
def test_a_run_that_came_from_elsewhere_is_not_marked(case: Callable[[Path], Path], run: Path, project: Path) -> None:
    folder = str(case(run))
    assert not is_marked(folder)
    with pytest.raises(RefusedError) as refused:
        check(folder, str(project), "an agent")
    assert refused.value.code == "not-yours"
    assert f"trust {os.path.realpath(folder)}" in refused.value.fix


@pytest.mark.parametrize(("root", "agent"), [("/", "an agent"), ("{}", "another"), ("/proc/self/cwd", "an agent")])
def test_a_mark_is_of_one_project_and_one_agent(root: str, agent: str, run: Path, project: Path) -> None:
    with pytest.raises(RefusedError):
        check(str(run), root.format(project), agent)


def test_a_project_that_became_a_link_is_another(run: Path, project: Path) -> None:
    outside = project.with_name("outside")
    outside.mkdir()
    mark(str(outside), str(project))
    assert is_marked(str(outside), str(project))
    project.rename(project.with_name("two"))
    project.symlink_to(project.with_name("two"))
    assert not is_marked(str(outside), str(project))


def test_refusal_of_a_copy_names_where_it_was_started(run: Path) -> None:
    with pytest.raises(RefusedError, match=str(run)):
        check(str(copied(run)))
    found = begun(str(run.with_name("y")))
    assert found is not None
    assert found.place == str(run)


def test_the_reason_says_what_has_changed(run: Path, project: Path) -> None:
    other = f"{project}/part"
    assert other in why_not(str(run), other)
    assert str(project) not in why_not(str(run), str(project))


def test_reading_makes_no_key(run: Path, user: Path) -> None:
    key = user / "trust" / "key"
    key.unlink()
    assert begun(str(run)) is None
    assert not key.exists()
    assert why_not(str(run))
    assert not key.exists()


@pytest.mark.parametrize("commands", [(), ("make test",), ("make test", "make lint")])
def test_a_wish_lists_what_a_run_would_start(commands: tuple[str, ...]) -> None:
    about, root, *others = Wish(about="tidy\nup", root="/project", commands=commands).lines()
    assert (about.endswith("tidy up"), root.endswith("/project")) == (True, True)
    assert len(others) == max(len(commands), 1)
    assert all(line.endswith(command) for line, command in zip(others, commands, strict=False))


def test_the_root_of_a_run_is_where_it_lies(run: Path, project: Path) -> None:
    assert holder(str(run)) == root_of(str(run), "/proc/self/cwd", begun(str(run))) == str(project)
    two = moved_with_its_project(run)
    assert root_of(str(two), str(project), begun(str(two))) == str(project.with_name("two"))


def test_the_root_of_a_run_elsewhere_moves_with_it(project: Path) -> None:
    folder = project / "state" / "x"
    folder.mkdir(parents=True)
    mark(str(folder), str(project))
    assert root_of(str(folder), str(project), begun(str(folder))) == str(project)
    two = shutil.copytree(project, project.with_name("two"))
    assert root_of(str(two / "state" / "x"), str(project), begun(str(two / "state" / "x"))) == str(two)
    away = shutil.move(two / "state" / "x", project.with_name("away"))
    (Path(away) / MARK).unlink()
    assert root_of(str(away), str(project), begun(str(away))) == str(project)


def test_the_key_can_be_read_by_this_user_only(run: Path, user: Path) -> None:
    key = user / "trust" / "key"
    for path, mode in ((key, 0o600), (key.parent, 0o700)):
        assert stat.S_IMODE(path.stat().st_mode) == mode
        path.chmod(0o777)
    assert is_marked(str(run))
    for path, mode in ((key, 0o600), (key.parent, 0o700)):
        assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.parametrize("owned", ["trust/key", "trust"])
def test_key_of_another_user_is_refused(owned: str, run: Path, user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = (user / owned).stat().st_uid + 1
    if os.geteuid() == 0:
        os.chown(user / owned, stranger, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: stranger)
    assert not is_marked(str(run))
    with pytest.raises(RefusedError, check=coded("no-key")):
        mark(str(run))
    with pytest.raises(RefusedError, check=coded("not-yours")):
        check(str(run))


@pytest.mark.parametrize("home", [None, "", "home", "./~"])
def test_without_an_absolute_home_there_is_no_trust_and_no_file(
    home: str | None, run: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", _of_an_unknown_user(os.path.expanduser))
    if home is not None:
        monkeypatch.setenv("HOME", home)
    monkeypatch.chdir(project)
    assert home_folder() is None
    assert runs_folders() == (str(project / ".stepscript" / "runs"),)
    for act in (user_folder, lambda: mark(str(run))):
        with pytest.raises(RefusedError, check=coded("no-home")):
            act()
    assert not is_marked(str(run))
    with pytest.raises(RefusedError, check=coded("not-yours")):
        check(str(run))
    assert os.listdir(project) == [".stepscript"]


def _of_an_unknown_user(expanded: Callable[[str], str]) -> Callable[[str], str]:
    """Return `os.path.expanduser` for a user whom the system does not know: without HOME it changes nothing."""
    return lambda path: expanded(path) if "HOME" in os.environ else path
