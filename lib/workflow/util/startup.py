"""The start of a process that does one thing and ends: no garbage collection, no module that it does not use."""

import gc
import sys
from _thread import _local as local
from _weakref import ref
from importlib import import_module
from types import ModuleType
from typing import Final, NoReturn, TypeVar

T = TypeVar("T")

LAZY: Final = ("converters", "validators")
"""Modules that attrs imports and few of our classes need. They declare classes, which takes time at every start."""
SHARED: Final = ("exceptions", "filters", "setters", *LAZY)
"""Modules of `attrs` that only import the names of the same modules of `attr`."""


class StandIn(ModuleType):
    """A module as attrs or click sees it: the names that it reads at every start. Any other name imports the module.

    The imports of `inspect`, `linecache` and `platform` take half of a bare start of Python, the others a tenth.
    """

    def __init__(self, name: str, **names: object) -> None:
        super().__init__(name)
        vars(self).update(names)

    def __getattr__(self, name: str) -> object:
        """Return the value of a name of the real module, which is imported for it."""
        if name.startswith("__") and name != "__all__":
            raise AttributeError(name)
        self.leave()
        value: object = getattr(import_module(self.__name__), name)
        return value

    def leave(self) -> None:
        """Let others import the real module."""
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]


def _copied(value: T) -> T:
    """Return a shallow copy: attrs makes one of each inherited field. `copy`, which imports `weakref`, makes others."""
    cls = type(value)
    if cls.__module__ != "attr._make":
        copied: T = import_module("copy").copy(value)
        return copied
    new = cls.__new__(cls)
    for name in vars(cls)["__slots__"]:
        object.__setattr__(new, name, getattr(value, name))
    return new


def _no_signature(_: object) -> NoReturn:
    """Raise ValueError: attrs then copies no annotations of converters, which nobody reads."""
    raise ValueError


def short_process() -> None:
    """Prepare this process, before it imports attrs, to do one thing and end."""
    gc.disable()  # collections would scan all imported modules
    if "attr" in sys.modules:
        return
    sys.modules.update((f"attr.{name}", StandIn(f"attr.{name}")) for name in LAZY)
    implementation = "PyPy" if sys.implementation.name == "pypy" else "CPython"
    try:
        reader = _imported(
            "attr._compat",
            StandIn("copy", copy=_copied),
            StandIn("inspect"),
            StandIn("linecache", cache={}),
            StandIn("platform", python_implementation=lambda: implementation),
            StandIn("threading", local=local),
            StandIn("unicodedata"),
            StandIn("weakref", ref=ref),
        )
    except ModuleNotFoundError:  # another version of attrs, which takes its time
        return
    vars(reader)["inspect"] = StandIn("inspect", signature=_no_signature)
    sys.modules.update((f"attrs.{name}", sys.modules[f"attr.{name}"]) for name in SHARED)


def short_command() -> None:
    """Prepare this process as `short_process` does, and import click with stand-ins for what it hardly uses.

    It needs `inspect` for help, `uuid` for a parameter of that type, and finds no translations by `gettext`.
    """
    short_process()
    if "click" not in sys.modules:
        uuid = StandIn("uuid", UUID=object)
        _imported(
            "click",
            StandIn("gettext", gettext=str, ngettext=_of_number),
            StandIn("inspect", cleandoc=_cleaned),
            StandIn("threading", local=local),
            uuid,
        )
        del vars(uuid)["UUID"]  # a parameter that reads it gets the real one


def _imported(module: str, *stand_ins: StandIn) -> ModuleType:
    """Import a module, which finds these in the place of others."""
    for each in stand_ins:
        sys.modules.setdefault(each.__name__, each)
    try:
        return import_module(module)
    finally:
        for each in stand_ins:
            each.leave()


def _of_number(one: str, several: str, number: int) -> str:
    """Return a message in English, as `gettext.ngettext` does without translations."""
    return one if number == 1 else several


def _cleaned(text: str) -> str:
    """Return a docstring as `inspect.cleandoc` does; most help texts of options have one line."""
    if "\n" not in text and "\t" not in text:
        return text.lstrip()
    cleaned: str = import_module("inspect").cleandoc(text)
    return cleaned
