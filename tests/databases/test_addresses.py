"""URLs of runs: what they may be, that no password of one is shown, and that no repository can name a database."""

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.command import Command
from lib.workflow.command.template import CommandTemplate
from lib.workflow.state.database.addresses import LONGEST, folder_of, url_of
from lib.workflow.state.run_dirs import user_folder
from lib.workflow.state.run_documents import Folder, database_of, documents, folder_at
from lib.workflow.testing.inprocess import run_module
from tests.databases.places import InDatabase, new_name
from tests.databases.server import LOCKED, PASSWORD, Server
from tests.tally import Tally, store_at
from tests.wording import carries

LEGAL = (
    "postgresql:///runs#limits",
    "postgresql://db.example/runs#a",
    "postgresql://me@db.example:5433/runs?sslmode=verify-full&sslrootcert=/etc/ca.pem#a.b_c-1",
    "postgresql://h1:5432,h2:5432/runs#a",
    "postgresql://[::1]/runs#a",
    "postgresql://%2Fvar%2Frun%2Fpostgresql/runs#a",
    "postgresql:///?service=plans#a",
)
SECRETS = (
    "postgresql://me:secret@db.example/runs#a",
    "postgresql://:secret@db.example/runs#a",
    "postgresql://me:se/secret@db.example/runs#a",
    "postgresql://me:secret#@db.example/runs#a",
    "postgresql://db.example/runs?password=secret#a",
    "postgresql://db.example/runs?PASSWORD=secret#a",
    "postgresql://db.example/runs?sslpassword=secret#a",
    "postgresql://db.example/runs?passfile=secret#a",
    "postgresql://db.example/runs?options=secret#a",
    "postgresql://db.example/secret runs#a",
    "postgresql://db.example/runs#secret/../a",
    "postgresql://db.example/runs/secret#a",
    "postgresql://db.example/runs?secret",
    "postgresql://secret",
    "postgresql://secret\nhost=evil#a",
    f"postgresql://db.example/{'secret' * LONGEST}#a",
)
QUOTED = "postgresql%3A%2F%2F127.0.0.1%3A{port}%2Fruns"


@pytest.mark.parametrize("url", LEGAL)
def test_a_url_and_its_folder_name_one_another(url: str) -> None:
    folder = folder_of(url)
    assert folder == folder_at(url)
    assert Path(folder).is_relative_to(os.path.realpath(user_folder()))
    assert url_of(folder) == url
    assert os.path.basename(folder) == url.partition("#")[2]


@pytest.mark.parametrize("url", SECRETS)
def test_an_illegal_url_is_refused_and_no_part_of_it_is_shown(url: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        folder_of(url)
    assert "secret" not in str(caught.value)


WAYS: tuple[tuple[str, Sequence[str]], ...] = (
    ("skills.planner.cli.plan", ("get", "--id", "a")),
    ("skills.planner.cli.qr", ("--qr-phase", "plan-design", "list-items")),
    ("skills.planner.orchestrator.planner", ("--step", "1")),
    ("skills.planner.orchestrator.planner", ("--step", "no")),
    ("skills.planner.orchestrator.executor", ("--step", "1")),
    ("skills.planner.resume", ()),
    ("skills.planner.status", ()),
    ("skills.incoherence.state", ("survey",)),
    ("skills.planner.cli.plan", ("get", SECRETS[0])),
    ("skills.planner.resume", ("--no-such-flag", SECRETS[0])),
    ("skills.planner.orchestrator.planner", ("--step", "1", "--no-such-flag", SECRETS[0])),
)


@pytest.mark.parametrize(("module", "words"), WAYS)
@pytest.mark.parametrize("url", [SECRETS[0], SECRETS[4]])
def test_no_script_shows_the_password_of_a_url(module: str, words: Sequence[str], url: str) -> None:
    ran = run_module(module, ("--state-dir", url, *words))
    assert ran.status == 2
    assert {"no", SECRETS[0]} & {*words} or carries(ran.errors, "PGPASSWORD")
    assert "secret" not in ran.out + ran.errors


@pytest.mark.parametrize(
    "words",
    [
        ("status", SECRETS[0]),
        ("status", "postgres://me:secret@h/d#a"),
        ("status", "x", SECRETS[0]),
        ("status", "--no-such-flag", SECRETS[0]),
        ("no-such-command", SECRETS[0]),
        ("run", "planner", "x", "--no-such-flag", SECRETS[0]),
        ("trust", SECRETS[0]),
        ("report", "--state-dir", SECRETS[0]),
        ("report", SECRETS[0]),
        ("run", "planner", "x", "--agent", sys.executable, "--set", f"state_dir={SECRETS[0]}"),
        ("plan", "--state-dir", SECRETS[0], "get", "--id", "a"),
    ],
)
def test_no_command_shows_the_password_of_a_url(words: Sequence[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(list(words)) == 2
    out, err = capfd.readouterr()
    assert err
    assert "secret" not in out + err


def test_a_folder_in_a_repository_names_no_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        name = QUOTED.format(port=listener.getsockname()[1])
        folder = tmp_path / "databases" / name / "a"
        folder.mkdir(parents=True)
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
        assert database_of(str(folder)) is None
        assert isinstance(documents(str(folder)), Folder)
        assert store_at(folder / "tally.json").find() is None
        assert str(folder) in str(Command("a", ("--state-dir", str(folder))))
        with pytest.raises(TimeoutError):
            listener.accept()


def test_a_link_to_the_folder_of_a_run_in_a_database_is_refused(in_database: InDatabase, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(in_database.folder)
    assert isinstance(documents(str(link)), Folder)
    assert store_at(link / "tally.json").find() is None


def test_commands_name_the_run_by_its_url(in_database: InDatabase) -> None:
    words = ("--state-dir", in_database.folder, "--file", f"{in_database.folder}/scratch/a")
    command = Command("a", words)
    assert command.words == ("--state-dir", in_database.address, *words[2:])
    assert CommandTemplate("a", words).words == command.words
    assert Command.read(str(command)) == command


LOGINS = ("PGPASSWORD", "PGPASSFILE", "service")


@pytest.mark.parametrize("login", LOGINS)
@pytest.mark.parametrize("password", [PASSWORD, "wrong secret"])
def test_a_password_from_elsewhere_opens_the_database_and_is_not_shown(
    database: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, login: str, password: str
) -> None:
    store_at(Path(folder_of(f"{database.address}#{new_name()}"), "tally.json")).create(Tally())  # makes the table
    new = new_name()
    url = f"{database.address.replace('user=stepscript', f'user={LOCKED}')}#{new}"
    path = tmp_path / "login"
    if login == "PGPASSWORD":
        monkeypatch.setenv(login, password)
    elif login == "PGPASSFILE":
        path.write_text(f"*:*:*:*:{password}\n", encoding="utf-8")
        monkeypatch.setenv(login, str(path))
    else:
        path.write_text(f"[plans]\npassword={password}\n", encoding="utf-8")
        monkeypatch.setenv("PGSERVICEFILE", str(path))
        url = url.replace("?", "?service=plans&")
    path.touch(0o600)
    path.chmod(0o600)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    words = [sys.executable, "-P", "-m", "skills.planner.cli.plan", "--state-dir", url, "init", "--task", "x"]
    ran = subprocess.run(words, capture_output=True, check=False, encoding="utf-8")
    assert (ran.returncode, ran.stderr) == (0 if password == PASSWORD else 1, "")
    assert "secret" not in ran.stdout
    assert (ran.returncode == 0) is (new in database.ask("SELECT DISTINCT run FROM stepscript_documents"))
    assert not [file for file in (tmp_path / "state").rglob("*") if file.is_file() and b"secret" in file.read_bytes()]
