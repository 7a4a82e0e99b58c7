"""A plan as plain JSON, and each command's effect on it, written from the specification, apart from the program."""

from copy import deepcopy
from typing import Any, Final

from lib.workflow.codec import codec
from skills.planner.schema.plan.document import InvisibleKnowledge, Overview
from skills.planner.schema.plan.versions import version_of
from tests.skills.planner.model_rules import holds

PATHS: Final[dict[str, str | None]] = {
    "a.py": "a.py",
    "./a.py": "a.py",
    "A.py": "A.py",
    "b.py": "b.py",
    "d/c.py": "d/c.py",
    "../x.py": None,
    "d/": None,
}
"""Paths of requests, and their stored form; None for refused ones."""
NEW: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "decisions": ("DL", {"decision": ..., "reasoning": ...}),
    "rejected_alternatives": ("RA", {"alternative": ..., "reason": ..., "decision_ref": ...}),
    "risks": ("R", {"risk": ..., "mitigation": ..., "anchor": None, "decision_ref": None}),
    "diagram_graphs": (
        "DIAG",
        {"type": "architecture", "scope": ..., "title": ..., "nodes": [], "edges": [], "ascii_render": None},
    ),
    "milestones": (
        "M",
        {
            "name": ...,
            **{
                key: []
                for key in ("files", "requirements", "acceptance_criteria", "tests", "code_intents", "code_changes")
            },
            "is_documentation_only": False,
            "delegated_to": None,
        },
    ),
    "waves": ("W", {"milestones": ...}),
    "code_intents": ("CI", {"file": ..., "behavior": ..., "decision_refs": []}),
    "code_changes": ("CC", {"intent_ref": None, "file": ..., "diff": ..., "comments": ""}),
}
"""By list: the prefix of its ids, and its fields with their defaults (... for required ones)."""
DRAWN: Final = "as somebody draws it"
SETS: Final = {
    "set-decision": "decisions",
    "set-rejected-alternative": "rejected_alternatives",
    "set-risk": "risks",
    "set-diagram": "diagram_graphs",
    "set-milestone": "milestones",
    "set-wave": "waves",
    "set-intent": "code_intents",
    "set-change": "code_changes",
    "set-doc": "code_changes",
}


class NoError(Exception):
    """The request is refused."""


def diff_of(path: str) -> str:
    """Return a diff of the file."""
    return f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-old\n+new\n"


def empty() -> dict[str, Any]:
    """Return the plan as `init` makes it."""
    return {
        "version": 1,
        "overview": {"problem": "", "approach": ""},
        "planning_context": {"decisions": [], "rejected_alternatives": [], "constraints": [], "risks": []},
        "invisible_knowledge": {"system": "", "invariants": [], "tradeoffs": []},
        "diagram_graphs": [],
        "milestones": [],
        "waves": [],
    }


def after(plan: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Return the plan after the request. Raises NoError if it is refused."""
    made = deepcopy(plan)
    changes = {key: value for key, value in request.items() if key not in ("command", "id", "version")}
    command: str = request["command"]
    name: Any = request.get("id")
    version: Any = request.get("version")
    if command in SETS:
        _set(made, command, changes, name, version)
    elif command in ("set-overview", "set-knowledge"):
        kind = "overview" if command == "set-overview" else "invisible_knowledge"
        if made[kind] != empty()[kind] or version is not None:
            _based(part_version(made, kind), version)
        made[kind].update(changes)
        made["version"] += 1
    elif command == "set-constraint" or (command == "remove" and name.startswith("C-")):
        _constrain(made, name, version, changes.get("constraint"))
    elif command in ("remove", "remove-change"):
        _remove(made, command, name, version, changes)
    elif command == "set-diagram-render":
        diagram = find(made, "diagram_graphs", name)
        _based(diagram["version"], version)
        if not diagram["nodes"]:
            raise NoError
        diagram.update(version=diagram["version"] + 1, ascii_render=DRAWN)
    else:
        _draw(made, command, changes, version)
    if not holds(made):
        raise NoError
    return made


def lists(plan: dict[str, Any], kind: str) -> list[list[dict[str, Any]]]:
    """Return the lists that hold a kind."""
    if kind in ("code_intents", "code_changes"):
        return [milestone[kind] for milestone in plan["milestones"]]
    return [plan[kind] if kind in plan else plan["planning_context"][kind]]


def find(plan: dict[str, Any], kind: str, name: str) -> dict[str, Any]:
    """Return the entity of a kind and an id."""
    for entity in (entity for found in lists(plan, kind) for entity in found):
        if entity["id"] == name:
            return entity
    raise NoError


def _based(current: int, version: int | None) -> None:
    if current != version:
        raise NoError


def _clean(changes: dict[str, Any]) -> dict[str, Any]:
    """Return the values as they are stored, with normalized paths."""
    kept = dict(changes)
    if "file" in kept:
        kept["file"] = PATHS[kept["file"]]
    if "files" in kept:
        kept["files"] = list(dict.fromkeys(PATHS[path] for path in kept["files"]))
    if kept.get("file", "") is None or None in kept.get("files", []):
        raise NoError
    if kept.get("comments", "") is None:
        kept["comments"] = ""
    return kept


def _set(plan: dict[str, Any], command: str, changes: dict[str, Any], name: str | None, version: int | None) -> None:
    kind = SETS[command]
    if name is None:
        _create(plan, command, kind, changes)
        return
    entity = find(plan, kind, name)
    before = deepcopy(entity)
    if changes.pop("milestone", name[3:8]) != name[3:8]:
        raise NoError
    _based(entity["version"], version)
    entity.update(_clean(_edited(entity, changes)), version=entity["version"] + 1)
    if command == "set-change" and before["intent_ref"] is None:
        raise NoError
    if kind == "code_changes" and entity["diff"] != diff_of(entity["file"]):
        raise NoError
    if command == "set-doc" and entity["file"] != before["file"]:
        raise NoError
    if kind == "milestones" and entity["is_documentation_only"] and not before["is_documentation_only"]:
        _to_documentation(plan, entity)
    if kind == "diagram_graphs" and entity["type"] != before["type"]:
        entity["ascii_render"] = None


def _edited(entity: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return the values with the edits of lists applied to the present ones."""
    made = {key: value for key, value in changes.items() if not key.startswith(("add_", "remove_"))}
    for key in {key.partition("_")[2] for key in changes if key not in made}:
        if key in made:
            raise NoError
        left = list(entity[key])
        for text in changes.get(f"remove_{key}", []):
            meant = [item for item in left if item == text] or [item for item in left if text in item]
            if len(meant) != 1:
                raise NoError
            left.remove(meant[0])
        made[key] = left + [text for text in dict.fromkeys(changes.get(f"add_{key}", [])) if text not in left]
    return made


def _create(plan: dict[str, Any], command: str, kind: str, changes: dict[str, Any]) -> None:
    if any(key.startswith(("add_", "remove_")) for key in changes):
        raise NoError
    prefix, fields = NEW[kind]
    home = lists(plan, kind)[0] if kind not in ("code_intents", "code_changes") else []
    if kind in ("code_intents", "code_changes"):
        if command == "set-change":
            changes.setdefault("file", find(plan, "code_intents", changes["intent_ref"])["file"])
        milestone = find(plan, "milestones", changes.pop("milestone", changes.get("intent_ref", "")[3:8]))
        prefix, home = f"{prefix}-{milestone['id']}", milestone[kind]
    highest = max((int(entity["id"][-3:]) for entity in home), default=0)
    entity = {"id": f"{prefix}-{highest + 1:03d}", "version": 1, **deepcopy(fields), **_clean(changes)}
    if kind == "code_changes" and entity["diff"] != diff_of(entity["file"]):
        raise NoError
    home.append(entity)


def _to_documentation(plan: dict[str, Any], milestone: dict[str, Any]) -> None:
    milestone["code_intents"] = []
    milestone["code_changes"] = [change for change in milestone["code_changes"] if change["intent_ref"] is None]
    for wave in plan["waves"]:
        if milestone["id"] in wave["milestones"]:
            wave["milestones"].remove(milestone["id"])
            wave["version"] += 1
    plan["waves"] = [wave for wave in plan["waves"] if wave["milestones"]]


def _constrain(plan: dict[str, Any], name: str | None, version: int | None, text: str | None) -> None:
    constraints = plan["planning_context"]["constraints"]
    if name is None:
        constraints.append(text)
    else:
        place = int(name[-3:])
        if not 1 <= place <= len(constraints):
            raise NoError
        _based(version_of(constraints[place - 1]), version)
        constraints[place - 1 : place] = [] if text is None else [text]
    plan["version"] += 1


def _remove(plan: dict[str, Any], command: str, name: str, version: int | None, changes: dict[str, Any]) -> None:
    kinds = [kind for kind, (prefix, _) in NEW.items() if name.partition("-")[0] == prefix]
    entity = find(plan, kinds[0], name)
    _based(entity["version"], version)
    if command == "remove-change" and kinds != ["code_changes"]:
        raise NoError
    if not changes:
        for found in lists(plan, kinds[0]):
            found[:] = [each for each in found if each is not entity]
        return
    if kinds != ["diagram_graphs"]:
        raise NoError
    nodes = [node for node in entity["nodes"] if node["id"] != changes.get("node")]
    edges = [edge for place, edge in enumerate(entity["edges"], 1) if place != changes.get("edge")]
    if ("node" in changes and nodes == entity["nodes"]) or ("edge" in changes and edges == entity["edges"]):
        raise NoError
    entity.update(nodes=nodes, edges=edges, version=entity["version"] + 1, ascii_render=None)


def _draw(plan: dict[str, Any], command: str, changes: dict[str, Any], version: int | None) -> None:
    diagram = find(plan, "diagram_graphs", changes["diagram"])
    if version is not None:
        _based(diagram["version"], version)
    diagram["version"] += 1
    if command == "add-diagram-edge":
        edge = {"source": changes["source"], "target": changes["target"], "label": changes["label"], "protocol": None}
        diagram["edges"].append(edge)
    else:
        node = {"id": changes["node"], "label": changes["label"], "type": None}
        places = [place for place, each in enumerate(diagram["nodes"]) if each["id"] == node["id"]]
        if places and version is None:
            raise NoError
        if diagram["nodes"] and places and diagram["nodes"][places[0]] == node:
            return
        diagram["nodes"][slice(places[0], places[0] + 1) if places else slice(len(diagram["nodes"]), None)] = [node]
    diagram["ascii_render"] = None


def changes(plan: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Return the request, with its target's version if it names 0."""
    if request.get("version") != 0:
        return request
    name = request.get("id", request.get("diagram", ""))
    kinds = [kind for kind, (prefix, _) in NEW.items() if name.partition("-")[0] == prefix]
    found = [entity for kind in kinds for entities in lists(plan, kind) for entity in entities if entity["id"] == name]
    return {
        **request,
        "version": found[0]["version"] if found else part_version(plan, PARTS.get(request["command"], name)),
    }


PARTS: Final = {"set-overview": "overview", "set-knowledge": "invisible_knowledge"}


def part_version(plan: dict[str, Any], part: str) -> int:
    """Return the version of the overview, the knowledge or a constraint, as `get` shows it."""
    if part == "overview":
        return version_of(codec(Overview).decode(plan[part]))
    if part == "invisible_knowledge":
        return version_of(codec(InvisibleKnowledge).decode(plan[part]))
    constraints = plan["planning_context"]["constraints"]
    place = int(part[-3:]) if part.startswith("C-") else 0
    return version_of(constraints[place - 1]) if 1 <= place <= len(constraints) else 1
