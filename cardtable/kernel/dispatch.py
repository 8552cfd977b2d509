"""How a rule is compiled: by one process for all of them, and to machine code only if plain Python calls it.

Numba optimises each function for itself, makes machine code of it and a wrapper for Python. But most rules are only called
by other rules, which take their code in and optimise it with their own. So a rule that is compiled because another one
calls it is kept as *bitcode only*, for its callers, which halves the time to compile a game. Should Python call
it after all, it is compiled again as a whole. Functions of the contract, which Python calls, are *exported*: never bitcode only.

What this gains over `ordinary`, which does the same by Numba's interface alone: a cold compile of the ordinary way took 42 % longer,
and it cannot be shared by processes, which wait for each other. Play is about as fast either way (9.4 to 9.2 million moves a second).

What it leans on, none of which Numba promises to keep: that a dispatcher's class can be replaced (`CPUDispatcher`, with its `compile`,
`add_overload`, `get_call_template`, `overloads` and `_cache`); that a compiler can be given a library of its own (`Compiler`,
`define_pipelines`, `compile_extra`, `JITCodeLibrary` with four of its methods and four of its fields) and knows a function by its entry
point (`insert_user_function`); how the cache files and finds code (`FunctionCache`, `CompileResultCacheImpl`, `compile_result`, the nine
parts of what is filed); the flags `no_compile` and `_nrt`; the lock of the compiler. `way` tries it out on each Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
import numba
from numba import types
from numba.core import sigutils
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from cardtable.kernel import cache
from cardtable.kernel.switch import Switch, followed, run_plain


class BitcodeOnly(JITCodeLibrary):
    """The code of a rule for its callers: neither optimised nor made machine code."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """What the cache keeps: the code alone, for there is no object."""
        return self.name, "bitcode", self._get_module_for_linking().as_bitcode()

    @classmethod
    def kept(cls, codegen: Any, name: str, code: bytes) -> BitcodeOnly:
        """What the cache kept."""
        library = cls(codegen, name)
        library._final_module = library._shared_module = llvm.parse_bitcode(code)
        library._finalized = True
        return library


class _Compiler(Compiler):
    """Compiles a rule; holds it if another rule called for it."""

    def define_pipelines(self) -> Any:
        state = self.state
        if Rule.bitcode_only:
            state.flags.no_compile = state.flags.no_cpython_wrapper = True
            state.library = BitcodeOnly(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()

    def compile_extra(self, func: Any) -> Any:
        result = super().compile_extra(func)
        if isinstance(result.library, BitcodeOnly):
            result = result._replace(entry_point=object())  # callers know a function by what stands here
            result.target_context.insert_user_function(result.entry_point, result.fndesc, [result.library])
        return result


class _Filing(CompileResultCacheImpl):
    """Writes and reads what is filed."""

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        (name, kind, code), fndesc, env, signature, objectmode, lifted, annotation, reload_init, envs = payload
        if kind != "bitcode":
            return super().rebuild(target_context, payload)
        return compile_result(
            typing_context=target_context.typing_context, target_context=target_context, entry_point=object(), type_annotation=annotation,
            library=BitcodeOnly.kept(target_context.codegen(), name, code), signature=signature, objectmode=objectmode, lifted=lifted, fndesc=fndesc,
            environment=env, reload_init=reload_init, referenced_envs=envs,
        )  # fmt: skip


class _Shelf(FunctionCache):
    """Where a rule's compiled forms are filed, by one process at a time: they share an index."""

    _impl_class = _Filing

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return *super()._index_key(sig, codegen), Rule.bitcode_only

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Whoever would hold a rule takes it whole if it is there."""
        before, Rule.bitcode_only = Rule.bitcode_only, False
        try:
            found = super().load_overload(sig, target_context)
        finally:
            Rule.bitcode_only = before
        return super().load_overload(sig, target_context) if found is None and before else found

    def save_overload(self, sig: Any, data: Any) -> None:
        with cache.lock(self._cache_file._index_path):
            super().save_overload(sig, data)


class Rule(CPUDispatcher):
    """A compiled rule that obeys the switch when plain Python calls it."""

    exported = False  #: whether Python calls it, so that it is never bitcode only
    chance = False  #: whether a script may stand in for it
    bitcode_only = False  #: whether what is compiled now is kept as bitcode only; for the thread that has Numba's compiler lock

    def __call__(self, *args: Any) -> Any:
        if Switch.plain or followed.script is not None:
            return run_plain(self.py_func, self.chance, args)
        return super().__call__(*args)

    def compile(self, sig: Any) -> Any:
        given, _ = sigutils.normalize_signature(sig)
        with global_compiler_lock:
            if (known := self.overloads.get(given)) and (Rule.bitcode_only or not isinstance(known.library, BitcodeOnly)):
                return known.entry_point
            with cache.lock(f"{self.py_func.__module__}.{self.py_func.__qualname__}{given}"):
                self.overloads.pop(given, None)
                return super().compile(sig)

    def add_overload(self, cres: Any) -> None:
        if isinstance(cres.library, BitcodeOnly):
            self.overloads[tuple(cres.signature.args)] = cres  # for callers; Python's calls come to `compile`
        else:
            super().add_overload(cres)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """For another rule, which calls this one. Numba would compile it anew for each constant it is called with."""
        before, Rule.bitcode_only = Rule.bitcode_only, not self.exported
        try:
            return super().get_call_template(tuple(map(types.unliteral, args)), kws)
        finally:
            Rule.bitcode_only = before


def compiled(function: Callable[..., Any], counting: bool) -> Any:
    """A rule of a function: cached on disk, free of the GIL; `counting` references if it makes arrays."""
    njit: Any = numba.njit
    made = njit(cache=True, nogil=True, no_cfunc_wrapper=True, _nrt=counting, pipeline_class=_Compiler)(function)
    made.__class__ = Rule
    made._cache = _Shelf(function)
    return made
