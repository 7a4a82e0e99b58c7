"""The library's public names, loaded on use: `from lib.workflow import Workflow, StepDef, parse_xml, render_xml`.

`render_X` prints a tree in a format, `parse_X` reads it back; `parse` is short for `parse_xml`. docs/api.md lists all.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .arguments.parameter import Arg as Arg
    from .ast.batch import BatchResult as BatchResult
    from .ast.batch import RequestResult as RequestResult
    from .ast.dispatch import Agent as Agent
    from .ast.dispatch import InvokeTemplate as InvokeTemplate
    from .ast.dispatch import RosterDispatchNode as RosterDispatchNode
    from .ast.dispatch import RosterForm as RosterForm
    from .ast.dispatch import SubagentDispatchNode as SubagentDispatchNode
    from .ast.dispatch import Target as Target
    from .ast.dispatch import Template as Template
    from .ast.dispatch import TemplateDispatchNode as TemplateDispatchNode
    from .ast.fields import Node as Node
    from .ast.guidance import DetectionQuestions as DetectionQuestions
    from .ast.guidance import ExpectedOutput as ExpectedOutput
    from .ast.guidance import FactoredVerificationRationale as FactoredVerificationRationale
    from .ast.guidance import Forbidden as Forbidden
    from .ast.guidance import IncorrectBehavior as IncorrectBehavior
    from .ast.guidance import OpenQuestionGuidance as OpenQuestionGuidance
    from .ast.guidance import OrchestratorAction as OrchestratorAction
    from .ast.guidance import OrchestratorConstraint as OrchestratorConstraint
    from .ast.guidance import PostQrRouting as PostQrRouting
    from .ast.guidance import QrFileOutput as QrFileOutput
    from .ast.guidance import Resource as Resource
    from .ast.guidance import Routing as Routing
    from .ast.guidance import StateBanner as StateBanner
    from .ast.guidance import VerificationChecklist as VerificationChecklist
    from .ast.nodes import Code as Code
    from .ast.nodes import Document as Document
    from .ast.nodes import Element as Element
    from .ast.nodes import FileContent as FileContent
    from .ast.nodes import Text as Text
    from .ast.parse import Limits as Limits
    from .ast.parse import ParseError as ParseError
    from .ast.parse import parse as parse
    from .ast.parse import parse_page as parse_page
    from .ast.parse import parse_xml as parse_xml
    from .ast.parse.extract import extract as extract
    from .ast.relay import Answer as Answer
    from .ast.relay import NeedsUserInput as NeedsUserInput
    from .ast.relay import Option as Option
    from .ast.relay import Question as Question
    from .ast.relay import UserResponse as UserResponse
    from .ast.results import EntityResult as EntityResult
    from .ast.results import Refusal as Refusal
    from .ast.results import VersionMismatchError as VersionMismatchError
    from .ast.step import Branch as Branch
    from .ast.step import Complete as Complete
    from .ast.step import CurrentAction as CurrentAction
    from .ast.step import GateResult as GateResult
    from .ast.step import Invoke as Invoke
    from .ast.step import InvokeAfter as InvokeAfter
    from .ast.step import StepHeader as StepHeader
    from .ast.step import XmlMandate as XmlMandate
    from .ast.visitor import Visitor as Visitor
    from .ast.visitor import transform as transform
    from .ast.visitor import walk as walk
    from .ast.vocabulary import Vocabulary as Vocabulary
    from .ast.vocabulary import validate as validate
    from .cli import main as main
    from .command import Command as Command
    from .command.template import CommandTemplate as CommandTemplate
    from .core import AgentChoice as AgentChoice
    from .core import AnswersFile as AnswersFile
    from .core import AskAll as AskAll
    from .core import AskUser as AskUser
    from .core import Dispatch as Dispatch
    from .core import Handler as Handler
    from .core import Roster as Roster
    from .core import Script as Script
    from .core import State as State
    from .core import StepContext as StepContext
    from .core import StepDef as StepDef
    from .core import Task as Task
    from .core import Workflow as Workflow
    from .core import with_prompts as with_prompts
    from .discovery import discover_workflows as discover_workflows
    from .errors import RefusedError as RefusedError
    from .errors import UsageError as UsageError
    from .errors import WorkflowError as WorkflowError
    from .handlers.loop import rounds as rounds
    from .prompts.reader import read_prompts as read_prompts
    from .prompts.records import Record as Record
    from .prompts.records import read_records as read_records
    from .render.document import parse_document as parse_document
    from .render.document import render_document as render_document
    from .render.html import render_html as render_html
    from .render.json import parse_json as parse_json
    from .render.json import render_json as render_json
    from .render.markdown import render_markdown as render_markdown
    from .render.schema import schema as schema
    from .render.text import render_text as render_text
    from .render.xml import render_xml as render_xml
    from .testing.proof import Proof as Proof
    from .testing.proof import proof_of as proof_of
    from .testing.reader import Mind as Mind
    from .testing.reader import Page as Page
    from .testing.reader import Reader as Reader
    from .types import AgentRole as AgentRole
    from .types import Confidence as Confidence
    from .types import GateStatus as GateStatus
    from .types import Outcome as Outcome
    from .types import Severity as Severity
    from .types import Tier as Tier

HOMES: Final = {
    "ast.nodes": (
        "Document",
        "Text",
        "Code",
        "Element",
        "FileContent",
    ),
    "ast.step": (
        "StepHeader",
        "XmlMandate",
        "CurrentAction",
        "Invoke",
        "Branch",
        "InvokeAfter",
        "GateResult",
        "Complete",
    ),
    "ast.dispatch": (
        "SubagentDispatchNode",
        "TemplateDispatchNode",
        "RosterDispatchNode",
        "RosterForm",
        "Target",
        "Template",
        "InvokeTemplate",
        "Agent",
    ),
    "ast.guidance": (
        "StateBanner",
        "ExpectedOutput",
        "Forbidden",
        "DetectionQuestions",
        "VerificationChecklist",
        "IncorrectBehavior",
        "Routing",
        "PostQrRouting",
        "Resource",
        "OrchestratorConstraint",
        "FactoredVerificationRationale",
        "OpenQuestionGuidance",
        "OrchestratorAction",
        "QrFileOutput",
    ),
    "ast.relay": (
        "NeedsUserInput",
        "Question",
        "Option",
        "UserResponse",
        "Answer",
    ),
    "ast.results": (
        "Refusal",
        "EntityResult",
        "VersionMismatchError",
    ),
    "ast.batch": (
        "BatchResult",
        "RequestResult",
    ),
    "ast.fields": ("Node",),
    "ast.visitor": (
        "Visitor",
        "walk",
        "transform",
    ),
    "ast.vocabulary": (
        "Vocabulary",
        "validate",
    ),
    "ast.parse": (
        "parse",
        "parse_page",
        "ParseError",
        "Limits",
        "parse_xml",
    ),
    "ast.parse.extract": ("extract",),
    "render.text": ("render_text",),
    "render.markdown": ("render_markdown",),
    "render.json": (
        "render_json",
        "parse_json",
    ),
    "render.html": ("render_html",),
    "render.document": (
        "render_document",
        "parse_document",
    ),
    "core": (
        "Workflow",
        "StepDef",
        "Handler",
        "with_prompts",
        "Dispatch",
        "Roster",
        "AskUser",
        "AskAll",
        "AnswersFile",
        "AgentChoice",
        "Script",
        "State",
        "StepContext",
        "Task",
    ),
    "handlers.loop": ("rounds",),
    "arguments.parameter": ("Arg",),
    "types": (
        "Outcome",
        "AgentRole",
        "Tier",
        "Confidence",
        "Severity",
        "GateStatus",
    ),
    "errors": (
        "WorkflowError",
        "UsageError",
        "RefusedError",
    ),
    "cli": ("main",),
    "discovery": ("discover_workflows",),
    "command": ("Command",),
    "command.template": ("CommandTemplate",),
    "prompts.reader": ("read_prompts",),
    "prompts.records": (
        "Record",
        "read_records",
    ),
    "testing.proof": (
        "proof_of",
        "Proof",
    ),
    "testing.reader": (
        "Reader",
        "Page",
        "Mind",
    ),
    "render.xml": ("render_xml",),
    "render.schema": ("schema",),
}
"""Public names by the module that defines them."""


if not TYPE_CHECKING:  # to mypy a module with a `__getattr__` has every name

    def __getattr__(name: str) -> object:
        """Import a public name from its module."""
        for home, names in HOMES.items():
            if name in names:
                return getattr(import_module(f".{home}", __name__), name)
        raise AttributeError(f"module {__name__} has no attribute {name}")

    def __dir__() -> list[str]:
        return sorted(name for names in HOMES.values() for name in names)
