"""The fast way to compile a rule: once for all processes, and to machine code only if plain Python calls it.

Numba optimises each function on its own, turns it into machine code and adds a wrapper for Python. But most rules are
only called by other rules, which inline their code and optimise it with their own. So a rule that is compiled because
another one calls it is stored as *bitcode only*, for its callers, which halves the time to compile a game. If Python
calls it later, it is compiled again in full. Functions of the contract, which Python calls, are *exported*: never
bitcode only.

With `ordinary`, which only uses Numba's public interface, a cold compile took 42% longer, and processes cannot share
it, because they wait for each other. Play is about as fast either way (here 9.4, there 9.2 million moves a second).

It relies on parts of Numba that may change: that a dispatcher's class can be replaced (`CPUDispatcher`, with its
`compile`, `add_overload`, `get_call_template`, `overloads` and `_cache`); that a compiler can be given its own library
(`Compiler`, `define_pipelines`, `compile_extra`, `JITCodeLibrary` with four of its methods and four of its fields) and
identifies a function by its entry point (`insert_user_function`); how the cache files and finds code (`FunctionCache`,
`CompileResultCacheImpl`, `compile_result`, the nine parts of a filed entry); the flags `no_compile` and `_nrt`; the
lock of the compiler. `way` tries it out with the installed Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
import numba
from numba import types
from numba.core import sigutils
from numba.core.caching import CompileResultCacheImpl
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from cardtable.kernel import cache
from cardtable.kernel.shelf import Shelf
from cardtable.kernel.switch import Switch, followed, run_plain


class BitcodeOnly(JITCodeLibrary):
    """The code of a rule for its callers: neither optimised nor compiled to machine code."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """The cached data: only the bitcode, as there is no object code."""
        return self.name, "bitcode", self._get_module_for_linking().as_bitcode()

    @classmethod
    def stored(cls, codegen: Any, name: str, code: bytes) -> BitcodeOnly:
        """The library that the cache has kept."""
        library = cls(codegen, name)
        library._final_module = library._shared_module = llvm.parse_bitcode(code)
        library._finalized = True
        return library


class _Compiler(Compiler):
    """Compiles a rule, as bitcode only if that is all that its callers need."""

    def define_pipelines(self) -> Any:
        state = self.state
        if FastRule.bitcode_only:
            state.flags.no_compile = state.flags.no_cpython_wrapper = True
            state.library = BitcodeOnly(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()

    def compile_extra(self, func: Any) -> Any:
        result = super().compile_extra(func)
        if isinstance(result.library, BitcodeOnly):
            result = result._replace(entry_point=object())  # callers find a function by its entry point
            result.target_context.insert_user_function(result.entry_point, result.fndesc, [result.library])
        return result


class _Filing(CompileResultCacheImpl):
    """Restores compiled rules from the cache, bitcode included."""

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        (name, kind, code), fndesc, env, signature, objectmode, lifted, annotation, reload_init, envs = payload
        if kind != "bitcode":
            return super().rebuild(target_context, payload)
        return compile_result(
            typing_context=target_context.typing_context,
            target_context=target_context,
            entry_point=object(),
            type_annotation=annotation,
            library=BitcodeOnly.stored(target_context.codegen(), name, code),
            signature=signature,
            objectmode=objectmode,
            lifted=lifted,
            fndesc=fndesc,
            environment=env,
            reload_init=reload_init,
            referenced_envs=envs,
        )


class _Shelf(Shelf):
    """A rule's compiled forms in the cache; they share an index, so one process at a time files them."""

    _impl_class: Any = _Filing

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return *super()._index_key(sig, codegen), FastRule.bitcode_only

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Where bitcode would be enough, take the rule compiled in full if the cache has it."""
        before, FastRule.bitcode_only = FastRule.bitcode_only, False
        try:
            loaded = super().load_overload(sig, target_context)
        finally:
            FastRule.bitcode_only = before
        return super().load_overload(sig, target_context) if loaded is None and before else loaded

    def save_overload(self, sig: Any, data: Any) -> None:
        with self._filed(sig), cache.lock(self._cache_file._index_path):
            super().save_overload(sig, data)


class FastRule(CPUDispatcher):
    """A compiled rule that obeys the switch when plain Python calls it."""

    exported = False  #: whether Python calls it, so that it is never bitcode only
    chance = False  #: whether a script may replace it
    bitcode_only = False  #: whether the current function is kept as bitcode only; under Numba's compiler lock

    def __call__(self, *args: Any) -> Any:
        if Switch.plain or followed.script is not None:
            return run_plain(self.py_func, self.chance, args)
        return super().__call__(*args)

    def compile(self, sig: Any) -> Any:
        given, _ = sigutils.normalize_signature(sig)
        with global_compiler_lock:
            if (known := self.overloads.get(given)) and (
                FastRule.bitcode_only or not isinstance(known.library, BitcodeOnly)
            ):
                return known.entry_point
            with cache.lock(f"{self.py_func.__module__}.{self.py_func.__qualname__}{given}"):
                self.overloads.pop(given, None)
                return super().compile(sig)

    def add_overload(self, cres: Any) -> None:
        if isinstance(cres.library, BitcodeOnly):
            self.overloads[tuple(cres.signature.args)] = cres  # for other rules; a call from Python goes to `compile`
        else:
            super().add_overload(cres)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The types for another rule that calls this one; without `unliteral` Numba would compile it for each constant
        argument.
        """
        before, FastRule.bitcode_only = FastRule.bitcode_only, not self.exported
        try:
            return super().get_call_template(tuple(map(types.unliteral, args)), kws)
        finally:
            FastRule.bitcode_only = before


def compiled(function: Callable[..., Any], counting: bool) -> Any:
    """Turn a function into a rule, cached on disk and without the GIL. counting: whether it counts references."""
    njit: Any = numba.njit
    made = njit(cache=True, nogil=True, no_cfunc_wrapper=True, _nrt=counting, pipeline_class=_Compiler)(function)
    made.__class__ = FastRule
    made._cache = _Shelf(function)
    return made
