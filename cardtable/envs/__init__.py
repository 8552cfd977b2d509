"""Research environments: many tables in NumPy arrays, and adapters to the interfaces that other libraries expect."""

from cardtable.envs.vector import VectorTable as VectorTable
