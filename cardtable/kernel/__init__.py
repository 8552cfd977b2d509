"""The kernel: records, compiled rules and their cache, bits, the random source. Independent of cards."""

from cardtable.kernel.compile import chosen as chosen
from cardtable.kernel.compile import cite as cite
from cardtable.kernel.compile import cited as cited
from cardtable.kernel.compile import defaults as defaults
from cardtable.kernel.compile import generic as generic
from cardtable.kernel.compile import implement as implement
from cardtable.kernel.compile import rule as rule
from cardtable.kernel.record import Ints as Ints
from cardtable.kernel.record import Record as Record
from cardtable.kernel.record import field as field
from cardtable.kernel.record import words as words
from cardtable.kernel.switch import Switch as Switch
from cardtable.kernel.switch import following as following
