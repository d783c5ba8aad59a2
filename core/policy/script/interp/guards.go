package interp

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// These constants limit the time and memory that a script can use.
const (
	MaxSteps = 5_000_000 // steps of the interpreter in one pass, and while the script is loaded
	maxWork  = 2_000_000 // number of values that operations may copy or compare in one pass
	maxRange = 1_000_000 // numbers in a range
	maxBits  = 4096      // bits of an integer
	maxState = 1_000_000 // values in the dictionary state
)

// guard is a function that replaces an operation or a function of Starlark. The interpreter counts
// the operation as one step, although it may need much memory or time. The guard checks the
// operands before it executes the operation.
type guard = func(m *meter, t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// guards holds the guards by name. The function init fills the map.
var guards = map[string]*starlark.Builtin{}

func init() {
	for token := range binaryWork {
		op := token
		addGuard(op.String(), func(m *meter, _ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return m.binary(op, args[0], args[1])
		})
	}
	for name, op := range map[string]syntax.Token{"+=": syntax.PLUS, "-=": syntax.MINUS, "*=": syntax.STAR, "%=": syntax.PERCENT, "|=": syntax.PIPE, "<<=": syntax.LTLT} {
		addGuard(name, func(m *meter, _ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return m.augmented(op, args[0], args[1])
		})
		addGuard("[]"+name, func(m *meter, _ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return starlark.None, m.augmentedItem(op, args[0], args[1], args[2])
		})
	}
	addGuard(".", func(m *meter, _ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return attribute(args[0], string(args[1].(starlark.String)))
	})
	addGuard("[:]", func(m *meter, _ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return args[0], m.spend(starlark.Len(args[0]))
	})
	for _, name := range []string{"any", "all", "bytes", "dict", "enumerate", "fail", "float", "hash", "int", "list", "max", "min", "repr", "reversed", "set", "sorted", "str", "tuple", "zip"} {
		whole := name == "fail" || name == "hash" || name == "repr" || name == "str" || name == "sorted" || name == "max" || name == "min"
		wrapped := starlark.Universe[name].(*starlark.Builtin)
		addGuard(name, func(m *meter, t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := m.spendOn(args, whole); err != nil {
				return nil, err
			}
			return wrapped.CallInternal(t, args, kwargs)
		})
	}
	addGuard("range", func(_ *meter, t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := starlark.Universe["range"].(*starlark.Builtin).CallInternal(t, args, kwargs)
		if err == nil && starlark.Len(v) > maxRange {
			return nil, fmt.Errorf("range: expected at most %d numbers, got %d", maxRange, starlark.Len(v))
		}
		return v, err
	})
	addGuard("print", printLine)
	for _, name := range []string{"getattr", "hasattr", "dir"} {
		addGuard(name, func(_ *meter, _ *starlark.Thread, b *starlark.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return nil, fmt.Errorf("scripts cannot use %s: read an attribute with a dot, such as job.procs", b.Name())
		})
	}
}

// addGuard adds a guard with the given name to guards.
func addGuard(name string, g guard) {
	guards[name] = starlark.NewBuiltin(name, func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return g(&policyOf(t).meter, t, b, args, kwargs)
	})
}

// meter counts the work of a script in one pass. It counts work that the interpreter does not count
// as steps, such as copied values.
type meter struct {
	workLeft int // number of values that the script may still copy or compare in this pass
	spent    int // work and steps since the size of the state was last checked
}

// spend charges the script for an operation that copies or compares n values: it subtracts n + 1 from
// the work that the script may still do in this pass. It returns an error if not enough is left.
func (m *meter) spend(n int) error {
	if n < 0 {
		n = 0
	}
	if m.workLeft -= n + 1; m.workLeft < 0 {
		return fmt.Errorf("too many values: in one call of schedule, or while it loads, a script may copy or compare at most %d values", maxWork)
	}
	m.spent += n + 1
	return nil
}

// spendOn charges the script for each element of each argument, or for each character if the
// argument is a text. If whole is set, it also counts the elements and characters inside these
// elements, at every depth.
func (m *meter) spendOn(args starlark.Tuple, whole bool) error {
	for _, v := range args {
		n := starlark.Len(v)
		if s, ok := v.(starlark.String); ok {
			n = len(s)
		}
		if whole {
			n = countValues(v, m.workLeft+1)
		}
		if err := m.spend(n); err != nil {
			return err
		}
	}
	return nil
}

// countValues returns the number of values in v, plus the number of characters of its texts. A
// value that v contains several times counts each time. Counting stops when the number reaches
// limit.
func countValues(v starlark.Value, limit int) int {
	switch v := v.(type) {
	case starlark.String:
		return 1 + len(v)
	case starlark.Bytes:
		return 1 + len(v)
	case *starlark.Dict:
		n := 1
		for k, x := range v.Entries() {
			if n += countValues(k, limit-n); n < limit {
				n += countValues(x, limit-n)
			}
			if n >= limit {
				break
			}
		}
		return n
	case *starlark.List, starlark.Tuple, *starlark.Set:
		n := 1
		for x := range starlark.Elements(v.(starlark.Iterable)) {
			if n += countValues(x, limit-n); n >= limit {
				break
			}
		}
		return n
	}
	return 1
}

// binaryWork holds, for each guarded operator, a function that returns how many values the operator
// copies or compares.
var binaryWork = map[syntax.Token]func(m *meter, x, y starlark.Value) int{
	syntax.PLUS: joinWork, syntax.MINUS: joinWork, syntax.PIPE: joinWork,
	syntax.STAR: repeatWork,
	syntax.PERCENT: func(m *meter, x, y starlark.Value) int {
		return cappedProduct(1+textLen(x)/4, countValues(y, m.workLeft+1))
	},
	syntax.LTLT: func(*meter, starlark.Value, starlark.Value) int { return 0 },
	syntax.IN:   searchWork, syntax.NOT_IN: searchWork,
	syntax.EQL: compareWork, syntax.NEQ: compareWork, syntax.LT: compareWork, syntax.GT: compareWork, syntax.LE: compareWork, syntax.GE: compareWork,
}

// joinWork returns the number of values that an operation copies if it joins the sequences x and y.
func joinWork(_ *meter, x, y starlark.Value) int {
	return max(0, starlark.Len(x)) + max(0, starlark.Len(y)) + textLen(x) + textLen(y)
}

// searchWork returns the maximum number of values that a search for x in y reads.
func searchWork(m *meter, x, y starlark.Value) int {
	switch y.(type) {
	case *starlark.List, starlark.Tuple:
		return cappedProduct(countValues(x, m.workLeft+1), starlark.Len(y))
	}
	return textLen(y)
}

// repeatWork returns the number of values that an operation copies if it repeats a sequence.
func repeatWork(_ *meter, x, y starlark.Value) int {
	if _, ok := x.(starlark.Int); ok {
		x, y = y, x
	}
	times, ok := y.(starlark.Int)
	size := max(starlark.Len(x), textLen(x))
	if !ok || size <= 0 {
		return 0
	}
	n, small := times.Int64()
	if !small || n > maxWork {
		n = maxWork
	}
	return cappedProduct(size, int(max(0, n)))
}

// compareWork returns the maximum number of values that a comparison reads.
func compareWork(m *meter, x, y starlark.Value) int {
	if starlark.Len(x) < 0 || starlark.Len(y) < 0 {
		return 0
	}
	return min(countValues(x, m.workLeft+1), countValues(y, m.workLeft+1))
}

// cappedProduct returns x*y. If the product is larger than maxWork, it returns some number larger
// than maxWork.
func cappedProduct(x, y int) int {
	if y > 0 && x > maxWork/y {
		return maxWork + 1
	}
	return x * y
}

// textLen returns the length of a text, and 0 for other values.
func textLen(v starlark.Value) int {
	if s, ok := v.(starlark.String); ok {
		return len(s)
	}
	return 0
}

// comparisons holds the comparison operators, which starlark.Binary does not support.
var comparisons = map[syntax.Token]bool{syntax.EQL: true, syntax.NEQ: true, syntax.LT: true, syntax.GT: true, syntax.LE: true, syntax.GE: true}

// binary returns the result of an operation with two operands.
func (m *meter) binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if op == syntax.NOT_IN {
		op = syntax.IN
		in, err := m.binary(op, x, y)
		if err != nil {
			return nil, err
		}
		return !in.Truth(), nil
	}
	if err := m.spend(binaryWork[op](m, x, y)); err != nil {
		return nil, err
	}
	if comparisons[op] {
		b, err := starlark.Compare(op, x, y)
		return starlark.Bool(b), err
	}
	v, err := starlark.Binary(op, x, y)
	if i, ok := v.(starlark.Int); ok && err == nil {
		if _, small := i.Int64(); !small && bitLen(i) > maxBits {
			return nil, fmt.Errorf("expected numbers of at most %d bits, got a larger one", maxBits)
		}
	}
	return v, err
}

// bitLen returns the number of bits of an integer.
func bitLen(i starlark.Int) int { return (*big.Int)(i.BigInt()).BitLen() }

// augmented returns the result of x += y and similar assignments. As in Starlark, += adds the
// elements of y to a list x, and |= adds the entries of y to a dictionary x.
func (m *meter) augmented(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch list := x.(type) {
	case *starlark.List:
		if seq, ok := y.(starlark.Iterable); ok && op == syntax.PLUS {
			if err := m.spend(starlark.Len(y)); err != nil {
				return nil, err
			}
			elements := make([]starlark.Value, 0, max(0, starlark.Len(y))) // a copy, because y may be the list x itself
			for e := range starlark.Elements(seq) {
				elements = append(elements, e)
			}
			for _, e := range elements {
				if err := list.Append(e); err != nil {
					return nil, err
				}
			}
			return x, nil
		}
	case *starlark.Dict:
		if other, ok := y.(*starlark.Dict); ok && op == syntax.PIPE {
			if err := m.spend(other.Len()); err != nil {
				return nil, err
			}
			for _, item := range other.Items() {
				if err := list.SetKey(item[0], item[1]); err != nil {
					return nil, err
				}
			}
			return x, nil
		}
	}
	return m.binary(op, x, y)
}

// augmentedItem performs x[key] += y and similar assignments.
func (m *meter) augmentedItem(op syntax.Token, x, key, y starlark.Value) error {
	switch x := x.(type) {
	case *starlark.Dict:
		old, found, err := x.Get(key)
		if err != nil || !found {
			return fmt.Errorf("key %s not in dict", key)
		}
		v, err := m.augmented(op, old, y)
		if err != nil {
			return err
		}
		return x.SetKey(key, v)
	case *starlark.List:
		i, err := starlark.AsInt32(key)
		if err != nil {
			return err
		}
		if i < 0 {
			i += x.Len()
		}
		if i < 0 || i >= x.Len() {
			return fmt.Errorf("list index %s out of range [%d:%d]", key, -x.Len(), x.Len()-1)
		}
		v, err := m.augmented(op, x.Index(i), y)
		if err != nil {
			return err
		}
		return x.SetIndex(i, v)
	}
	return fmt.Errorf("%s value does not support item assignment", x.Type())
}

// attribute returns the attribute of x with the given name. It wraps the methods of Starlark's own
// types in guards, because such a method can copy many values in one step.
func attribute(x starlark.Value, name string) (starlark.Value, error) {
	from, ok := x.(starlark.HasAttrs)
	if !ok {
		return nil, fmt.Errorf("%s has no .%s", x.Type(), name)
	}
	v, err := from.Attr(name)
	if err != nil {
		return nil, err
	}
	if v == nil {
		if _, ours := x.(value); ours {
			return nil, fmt.Errorf("%s has no .%s; it has .%s", x.Type(), name, strings.Join(slices.Sorted(slices.Values(from.AttrNames())), ", ."))
		}
		return nil, fmt.Errorf("%s has no .%s", x.Type(), name)
	}
	method, ok := v.(*starlark.Builtin)
	if _, ours := x.(value); ours || !ok {
		return v, nil
	}
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		m := &policyOf(t).meter
		own := max(0, starlark.Len(x), textLen(x))
		n := own
		for _, a := range args {
			n += countValues(a, m.workLeft+1)
		}
		for _, a := range kwargs {
			n += countValues(a[1], m.workLeft+1)
		}
		if name == "join" || name == "replace" || name == "format" {
			n = cappedProduct(own+1, n+1)
		}
		if err := m.spend(n); err != nil {
			return nil, err
		}
		return method.CallInternal(t, args, kwargs)
	}), nil
}
