"""The wording that gives each kind away: the words that a rule begins with, and what must follow them.

No pattern repeats without bound (a test sees to it) and each is tried at the words that it begins with, so that a word
costs at most a constant, and a text time in proportion to its length.
"""

import re
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from types import MappingProxyType
from typing import Final, NamedTuple

from .kinds import Kind


class Where(Enum):
    """Where a rule's words count."""

    ANY = auto()
    OPENING = auto()
    """First in a sentence, a cell or a bullet."""
    PLAIN = auto()
    """Not behind `if`, `when` and the like: there, time is the program's."""


class Rule(NamedTuple):
    """Words, any of which begins the wording; capitals count where the rule has them, digits are written 0."""

    kind: Kind
    where: Where
    words: str
    then: re.Pattern[str]


def _rules(kind: Kind, where: Where, rows: Sequence[tuple[str, str]]) -> list[Rule]:
    return [Rule(kind, where, words, re.compile(then, re.IGNORECASE)) for words, then in rows]


_DONE: Final = (
    "added introduced removed deleted replaced renamed moved refactored rewritten rewrote extracted converted switched "
    "improved updated modified simplified changed migrated ported reworked increased decreased bumped adjusted"
)
_ALT: Final = "|".join(_DONE.split())
_FORMER: Final = r"(?:old|previous|former|earlier|original|legacy)"
_THING: Final = r"(?:implementation|approach|behaviou?r|code path|code|solution|logic|design|way|api|system|version)"
_ME: Final = r"(?:this|that|these|the following|the (?:block|method|function|code|line|snippet|class) below)"
_SPOT: Final = r"(?:imports?|constructor|class|definition|line \d|existing|return statement|function|method|module|file)"
_PLAN: Final = r"(?:(?:implementation|project|design|migration) )?(?:plan|ticket|requirements|task)\b"
_LATER: Final = r"(?:later|eventually|soon|in (?:the (?:near )?future|an? (?:later|future|follow-up))|in the next)"
_MANY: Final = r"(?: [^ ]{1,40}){0,6}"

RULES: Final[tuple[Rule, ...]] = (
    *_rules(
        Kind.CHANGE,
        Where.OPENING,
        [
            (
                _DONE,
                r"(?! (?:by|when|if|at|on|or|and|after|before|only|with|as|is|are|was|were|during|while|whenever|lines"
                r"|files|items|names|in (?!terms)|to \S{1,40}\())(?:[:,.]? [^\W\d]|[.]?$)",
            ),
            ("fix fixed fixes bugfix", r"(?::| for (?:the|an?)\b| (?:the|an?) (?:\w{1,20} )?(?:bug|issue|crash|leak|race)\b| #?\d)"),
            ("bug", r" ?fix\b"),
            ("new", r" (?:parameter|argument|option|method|function|helper|flag|field|endpoint|setting) (?:to|for|that|which)\b"),
            ("now", r" (?:also |only |always |correctly |properly )?(?!this|is\b|was|as\b|its|has|pass|process|class)\w{2,20}s\b"),
            ("adding", r" this(?: \w{1,20})? (?:makes|fixes|avoids|prevents)\b"),
        ],
    ),
    *_rules(
        Kind.CHANGE,
        Where.ANY,
        [
            ("we we've", rf"(?: have| had)? (?:{_ALT}|dropped)\b"),
            ("was were", rf" (?:{_ALT}) (?:after|because|since|so that|in order|in v?\d|to (?:fix|support|avoid|the \d|\d))"),
            ("has have", r" been (?:refactored|rewritten|renamed|reworked|simplified|migrated|ported|increased|improved|extracted)\b"),
            ("has have was were", r" changed (?:from|to)\b"),
            ("this", r" (?:is (?:a|the) new|commit|patch|pull request|refactor(?:ing)?|change (?:makes|adds|fixes))\b"),
            ("pulled split factored moved extracted", r" (?:out )?(?:into|from|to) (?:its own|a separate|a helper|here)\b"),
        ],
    ),
    *_rules(
        Kind.BASELINE,
        Where.OPENING,
        [
            ("originally formerly previously", r""),
            ("used", r" to (?:be|have|return|live|take|call)\b"),
            ("currently", r"(?! \w{1,20}ing\b)"),
            ("the", r" new (?:\w{3,15}er|implementation|version|approach|code|api|algorithm|system|design) \w{2,20}s\b"),
        ],
    ),
    *_rules(
        Kind.BASELINE,
        Where.PLAIN,
        [
            ("no", r" longer\b(?! (?:exist|there\b|valid\b|alive\b|running\b|open\b|reachable\b|in\b|than\b))"),
            ("anymore", r""),
            ("any", r" more(?:[.,;]|$| (?:since|because|as|now)\b)"),
            ("unlike than from", rf" (?:the|an|our) {_FORMER} \w"),
            ("unlike than from", rf" {_FORMER} {_THING}"),
            ("instead", rf" of the {_FORMER}\b"),
            ("old former earlier previous", rf" {_THING}\b"),
            ("original", r" (?:implementation|approach|design|code (?:was|did|had|used))\b"),
            ("legacy", r" (?:endpoint|api|code|client|system|callers?|path|behaviou?r)"),
            ("it this which there we they callers", r" used to\b"),
            ("formerly", r""),
            ("same", r" (?:\w{1,20} )?as before\b"),
            ("as", r" before\b(?:[.,;]|$)"),
            ("in", r" the past\b"),
            ("prior", r" to this\b"),
            ("back", r" when (?:there|we|this|it)\b"),
            ("better faster slower simpler cleaner", r" than (?:before|it was)\b"),
            ("than", r" (?:the (?:\w{1,20} )?)?we (?:had|used)\b"),
            ("currently", r" (?:only|unsupported|not|we|no|does|limited)\b"),
            ("is are", r" (?:now (?:\w{2,20}ed|an? (?:error|no-op)|required|optional|done)|currently (?:not|only))\b"),
        ],
    ),
    *_rules(
        Kind.PLACE,
        Where.OPENING,
        [
            ("insert add put place paste append prepend", rf" {_ME}{_MANY} (?:after|before|below|above|at|to|into|in)\b"),
            ("insert add put place paste append prepend", rf"{_MANY} (?:after|before|below|above) (?:the |all )?{_SPOT}"),
            ("insert add put place paste append prepend", rf" (?:it |at the (?:top|bottom|end|start) of|to the (?:end|top|bottom) of) ?(?:the )?{_SPOT}"),
            ("goes belongs", rf" (?:right |directly |just )?(?:after|before|below|above|into) the {_SPOT}"),
            ("replace", rf" (?:the|this) (?:\w{{1,20}} )?{_SPOT} (?:above|below|with (?:this|the following))"),
            ("new", r" code (?:starts|ends|begins|here)\b"),
            ("keep leave", r" the (?:other|rest|remaining)(?: \w{1,20}){0,3} (?:as (?:it|they)|unchanged|the same)\b"),
        ],
    ),
    *_rules(
        Kind.PLACE,
        Where.ANY,
        [
            ("existing remaining other", r" (?:code|methods|implementation|imports?|logic)(?: \w{1,20})? (?:unchanged|the same|here)\b"),
            ("rest", r" of (?:the )?(?:code|file|class|function|method|implementation) (?:is |remains |stays )?(?:unchanged|the same|here)\b"),
            ("should must", r" be (?:added|inserted|placed|put|pasted|appended) (?:to|at|in|after|before) the (?:top|bottom|end) of\b"),
        ],
    ),
    *_rules(
        Kind.PLANNING,
        Where.OPENING,
        [
            ("placeholder stub", r"(?:,| until| for the (?:next|real|future)|: to)\b"),
            ("hack", r":? ?remove\b"),
            ("remove delete drop", r" (?:this |it )?(?:once|before the (?:release|merge)|as soon as)\b"),
            ("follow-up followup", r":"),
            ("implements", r" (?:task|step|requirement|story|ticket|milestone)\b"),
            ("eventually later", r",? (?:we|this|it) (?:\w{1,20} )?(?:want|should|will|can|could)?"),
            ("temporary temporarily", r"(?:[.:]| until| hack| workaround| solution| fix| measure)"),
        ],
    ),
    *_rules(
        Kind.PLANNING,
        Where.ANY,
        [
            ("TODO FIXME XXX", r""),
            ("M-000", r""),
            ("milestone sprint wave", r" \d"),
            ("phase", r" \d\w? (?:will|of the|adds|is)\b"),
            ("step", r" \d{1,3} (?:of|in) the (?:plan|ticket)\b"),
            ("part", r" of (?:milestone|phase|task|wave|sprint|the plan|ticket)\b"),
            ("as per see", rf" (?:specified |described |planned |outlined |required )?(?:in |by )?(?:the |our ){_PLAN}"),
            ("acceptance", r" criteri(?:on|a)\b"),
            ("for", r" now\b(?! on)"),
            ("will", rf" (?:be )?(?:\w{{1,20}} )?{_LATER}"),
            ("will", rf" be (?:replaced|removed|added|implemented|migrated|rewritten){_MANY} {_LATER}"),
            ("we", r" (?:plan|intend) to\b"),
            ("planned", r" for\b"),
            ("should could", r" eventually\b"),
            ("in", r" (?:the (?:near )?future|an? (?:later|future) (?:release|version|iteration|phase|change)|the next (?:release|sprint|phase|iteration))\b"),
            ("next", r" sprint\b"),
            ("not", r" yet (?:implemented|supported|handled|done)\b"),
            ("out", r" of scope (?:for|of|in) (?:this|the) (?:pr|change|ticket|task|milestone|plan)\b"),
            ("workaround hack", rf"{_MANY} until\b"),
            ("can could should must", rf" be (?:removed|deleted|replaced|dropped|simplified){_MANY} (?:once|as soon as|when we|in Python)\b"),
        ],
    ),
    *_rules(
        Kind.INTENT,
        Where.OPENING,
        [
            ("chose opted decided", r" \w"),
            ("considered", r" (?:an?|the|using)\b"),
            ("went", r" (?:with|for)\b"),
            ("deliberately intentionally", r" (?:kept|left) (?:minimal|simple|small|short)\b"),
            ("made", r" (?:this|it|\w{1,30}) (?:public|accessible|configurable)(?: \w{1,20}){0,2} (?:so that|for|because)\b"),
        ],
    ),
    *_rules(
        Kind.INTENT,
        Where.ANY,
        [
            ("as", r" (?:agreed|requested|discussed|suggested|asked|instructed)\b(?! (?:by|in))"),
            ("as", r" you (?:asked|suggested|requested|wanted|said)\b"),
            ("per", r" (?:the |your |our )?(?:code )?(?:review|reviewer|feedback|discussion)\b"),
            ("I", r" (?:decided|chose|think|kept|opted|used|went|have|added|believe|made|picked|prefer|removed|changed)\b"),
            ("we", r" (?:have )?(?:decided|chose|opted|considered|went (?:for|with)|picked|settled on|agreed)\b"),
            ("address addresses addressing", r" (?:the|your) (?:\w{1,20} )?(?:review|feedback|comments?|reviewer|concern)"),
            ("satisfies satisfy", r" the (?:reviewer|review)\b"),
            ("the", r" user (?:asked|requested|wanted)\b"),
            ("let", r" me know\b"),
            ("limit minimise minimize reduce", r" the (?:diff|change)\b"),
            ("keep", r" the (?:change|diff|pr) (?:small|minimal|short)\b"),
            ("tests", r" were failing\b"),
        ],
    ),
)


def _by_word() -> Mapping[str, tuple[Rule, ...]]:
    found: dict[str, list[Rule]] = {}
    for rule in RULES:
        for word in rule.words.split():
            found.setdefault(word, []).append(rule)
    return MappingProxyType({word: tuple(rules) for word, rules in found.items()})


BY_WORD: Final = _by_word()
