"""Invariants of a plan as plain JSON, written from the specification, apart from the program."""

from typing import Any


def holds(plan: dict[str, Any]) -> bool:
    """Return True if all references of the plan exist, and all its parts are in legal places."""
    milestones = {milestone["id"]: milestone for milestone in plan["milestones"]}
    decisions = {decision["id"] for decision in plan["planning_context"]["decisions"]}
    named = [
        each["decision_ref"] for kind in ("rejected_alternatives", "risks") for each in plan["planning_context"][kind]
    ]
    named += [
        ref
        for milestone in plan["milestones"]
        for intent in milestone["code_intents"]
        for ref in intent["decision_refs"]
    ]
    if not decisions.issuperset(set(named) - {None}):
        return False
    for diagram in plan["diagram_graphs"]:
        nodes = {node["id"] for node in diagram["nodes"]}
        if any({edge["source"], edge["target"]} - nodes for edge in diagram["edges"]):
            return False
        if diagram["scope"].startswith("milestone:") and diagram["scope"][10:] not in milestones:
            return False
    for milestone in plan["milestones"]:
        intents = {intent["id"] for intent in milestone["code_intents"]}
        if {change["intent_ref"] for change in milestone["code_changes"]} - intents - {None}:
            return False
        if milestone["is_documentation_only"] and intents:
            return False
    members = [member for wave in plan["waves"] for member in wave["milestones"]]
    if len(members) > len(set(members)) or set(members) - milestones.keys():
        return False
    return not any(milestones[name]["is_documentation_only"] for name in members) and not any(
        _clash(milestones[one], milestones[two])
        for wave in plan["waves"]
        for one in wave["milestones"]
        for two in wave["milestones"]
        if one < two
    )


def _clash(one: dict[str, Any], two: dict[str, Any]) -> bool:
    def files(milestone: dict[str, Any]) -> set[str]:
        parts = milestone["code_intents"] + milestone["code_changes"]
        return {path.lower() for path in [*milestone["files"], *(part["file"] for part in parts)]}

    return bool(files(one) & files(two))
