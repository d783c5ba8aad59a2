// Package interp runs policies that users write as scripts, with the Starlark interpreter of
// go.starlark.net. Scripts are deterministic. They can read and change a simulation only through
// the argument p of their function schedule, and their steps and memory are limited.
package interp

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"backfill-lab/core/policy/script"
)

// fileName is the file name of the script in source positions, such as those in error messages.
const fileName = "script"

// dialect selects the variant of Starlark that scripts use. It adds sets and while loops. Outside
// functions, it allows if, for and while statements and reassignment of variables.
var dialect = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true}

// predeclared holds the names that a script may use in addition to the names of Starlark and of the
// guards (see compile). The interpreter records no position for names of Starlark. So that an endless
// "while True" has a position, True is a predeclared name too.
var predeclared = map[string]bool{"state": true, "True": true}

// compile parses a script and prepares it for execution. Some operations could need much memory or
// time in a single step. compile replaces each of these operations with a call of a guard, which
// checks the operands first.
func compile(source string) (*starlark.Program, error) {
	f, err := dialect.Parse(fileName, source, 0)
	if err != nil {
		return nil, atLineEnd(scriptError(err), source)
	}
	r := rewriter{}
	f.Stmts = r.statements(f.Stmts)
	if r.refused != nil {
		return nil, r.refused
	}
	program, err := starlark.FileProgram(f, func(name string) bool { return predeclared[name] || guards[name] != nil })
	if err != nil {
		return nil, scriptError(err)
	}
	return program, nil
}

// scriptError converts an error of the Starlark packages to an error with a position in the script.
func scriptError(err error) *script.Error {
	var syntaxErr syntax.Error
	var list resolve.ErrorList
	var run *starlark.EvalError
	switch {
	case errors.As(err, &syntaxErr):
		return errorAt(syntaxErr.Pos, syntaxErr.Msg)
	case errors.As(err, &list) && len(list) > 0:
		return errorAt(list[0].Pos, list[0].Msg)
	case errors.As(err, &run):
		for i := range run.CallStack {
			if pos := run.CallStack.At(i).Pos; pos.Filename() == fileName {
				return errorAt(pos, run.Msg)
			}
		}
		return &script.Error{Message: run.Msg}
	}
	return &script.Error{Message: err.Error()}
}

// atLineEnd moves the position of a syntax error from the beginning of a line to the end of the previous
// line, if the unexpected token is the newline between them.
func atLineEnd(e *script.Error, source string) *script.Error {
	if lines := strings.Split(source, "\n"); e.Column == 1 && e.Line > 1 && e.Line-2 < len(lines) && strings.HasPrefix(e.Message, "got newline") {
		e.Line--
		e.Column = utf8.RuneCountInString(strings.TrimRight(lines[e.Line-1], "\r")) + 1
	}
	return e
}

// errorAt returns an error with the given message and position.
func errorAt(pos syntax.Position, message string) *script.Error {
	return &script.Error{Line: int(pos.Line), Column: int(pos.Col), Message: message}
}

// rewriter replaces operations with calls of guards. The name of such a guard is the operator that
// it replaces, such as "+" or "[:]". A script cannot use such a name.
type rewriter struct{ refused *script.Error }

func (r *rewriter) statements(all []syntax.Stmt) []syntax.Stmt {
	for i := range all {
		all[i] = r.statement(all[i])
	}
	return all
}

func (r *rewriter) statement(s syntax.Stmt) syntax.Stmt {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		return r.assignment(s)
	case *syntax.DefStmt:
		r.parameters(s.Params)
		s.Body = r.statements(s.Body)
	case *syntax.ExprStmt:
		s.X = r.expr(s.X)
	case *syntax.IfStmt:
		s.Cond = r.expr(s.Cond)
		s.True, s.False = r.statements(s.True), r.statements(s.False)
	case *syntax.ForStmt:
		s.X, s.Body = r.expr(s.X), r.statements(s.Body)
	case *syntax.WhileStmt:
		s.Cond, s.Body = r.condition(s), r.statements(s.Body)
	case *syntax.ReturnStmt:
		if s.Result != nil {
			s.Result = r.expr(s.Result)
		}
	case *syntax.LoadStmt:
		r.refused = errorAt(s.Load, "expected a script without load statements: a script cannot read other files")
	}
	return s
}

// condition rewrites the condition of a while loop. It replaces a constant x, for which the
// interpreter records no position, with True and x.
func (r *rewriter) condition(s *syntax.WhileStmt) syntax.Expr {
	cond := r.expr(s.Cond)
	if hasNoPosition(cond) {
		return &syntax.BinaryExpr{X: &syntax.Ident{NamePos: s.While, Name: "True"}, OpPos: s.While, Op: syntax.AND, Y: cond}
	}
	return cond
}

// hasNoPosition reports whether an expression is a literal, False or None, possibly in parentheses or
// after not.
func hasNoPosition(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Ident:
		return e.Name != "True" && isConstant(e)
	case *syntax.ParenExpr:
		return hasNoPosition(e.X)
	case *syntax.UnaryExpr:
		return e.Op == syntax.NOT && hasNoPosition(e.X)
	}
	return isConstant(e)
}

// augmented holds the operator of each augmented assignment that a guard replaces.
var augmented = map[syntax.Token]syntax.Token{
	syntax.PLUS_EQ: syntax.PLUS, syntax.MINUS_EQ: syntax.MINUS, syntax.STAR_EQ: syntax.STAR, syntax.PERCENT_EQ: syntax.PERCENT,
	syntax.PIPE_EQ: syntax.PIPE, syntax.LTLT_EQ: syntax.LTLT,
}

// assignment rewrites an assignment. It replaces x += y with x = "+="(x, y), and x[i] += y with a
// call that evaluates x and i once. If the source text shows that y is a number, it replaces only
// assignments with *=.
func (r *rewriter) assignment(s *syntax.AssignStmt) syntax.Stmt {
	s.RHS = r.expr(s.RHS)
	op, replaced := augmented[s.Op]
	if !replaced || isNumber(s.RHS) && op != syntax.STAR {
		s.LHS = r.target(s.LHS)
		return s
	}
	switch x := s.LHS.(type) {
	case *syntax.Ident:
		s.RHS = guardCall(s.OpPos, s.Op.String(), &syntax.Ident{NamePos: x.NamePos, Name: x.Name}, s.RHS)
		s.Op = syntax.EQ
	case *syntax.IndexExpr:
		return &syntax.ExprStmt{X: guardCall(s.OpPos, "[]"+s.Op.String(), r.expr(x.X), r.expr(x.Y), s.RHS)}
	default:
		s.LHS = r.target(s.LHS)
	}
	return s
}

// target rewrites the left side of an assignment. It leaves an attribute unchanged, so that the
// interpreter reports that a script cannot assign to an attribute.
func (r *rewriter) target(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.DotExpr:
		e.X = r.expr(e.X)
		return e
	case *syntax.ParenExpr:
		e.X = r.target(e.X)
		return e
	case *syntax.ListExpr:
		r.targets(e.List)
		return e
	case *syntax.TupleExpr:
		r.targets(e.List)
		return e
	}
	return r.expr(e)
}

func (r *rewriter) targets(all []syntax.Expr) {
	for i := range all {
		all[i] = r.target(all[i])
	}
}

// guardCall returns a call of the guard with the given name.
func guardCall(pos syntax.Position, name string, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: pos, Name: name}, Lparen: pos, Args: args, Rparen: pos}
}

// parameters rewrites the default values in a list of parameters.
func (r *rewriter) parameters(all []syntax.Expr) {
	for _, p := range all {
		if b, ok := p.(*syntax.BinaryExpr); ok { // name = default value
			b.Y = r.expr(b.Y)
		}
	}
}

func (r *rewriter) exprs(all []syntax.Expr) {
	for i := range all {
		all[i] = r.expr(all[i])
	}
}

// expr rewrites an expression and the expressions inside it.
func (r *rewriter) expr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.BinaryExpr:
		return r.binary(e)
	case *syntax.DotExpr:
		e.X = r.expr(e.X)
		if !cheapAttributes[e.Name.Name] {
			name := &syntax.Literal{Token: syntax.STRING, TokenPos: e.NamePos, Raw: e.Name.Name, Value: e.Name.Name}
			return guardCall(e.NamePos, ".", e.X, name)
		}
	case *syntax.CallExpr:
		e.Fn = r.expr(e.Fn)
		for i, a := range e.Args {
			if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ { // name = argument
				b.Y = r.expr(b.Y)
			} else {
				e.Args[i] = r.expr(a)
			}
		}
	case *syntax.Comprehension:
		e.Body = r.expr(e.Body)
		for _, c := range e.Clauses {
			switch c := c.(type) {
			case *syntax.ForClause:
				c.X = r.expr(c.X)
			case *syntax.IfClause:
				c.Cond = r.expr(c.Cond)
			}
		}
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = r.expr(e.Cond), r.expr(e.True), r.expr(e.False)
	case *syntax.DictEntry:
		e.Key, e.Value = r.expr(e.Key), r.expr(e.Value)
	case *syntax.DictExpr:
		r.exprs(e.List)
	case *syntax.IndexExpr:
		e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	case *syntax.LambdaExpr:
		r.parameters(e.Params)
		e.Body = r.expr(e.Body)
	case *syntax.ListExpr:
		r.exprs(e.List)
	case *syntax.ParenExpr:
		e.X = r.expr(e.X)
	case *syntax.SliceExpr:
		e.X = guardCall(e.Lbrack, "[:]", r.expr(e.X))
		for _, part := range []*syntax.Expr{&e.Lo, &e.Hi, &e.Step} {
			if *part != nil {
				*part = r.expr(*part)
			}
		}
	case *syntax.TupleExpr:
		r.exprs(e.List)
	case *syntax.UnaryExpr:
		if e.X == nil { // the lone * in a list of parameters
			break
		}
		if e.X = r.expr(e.X); e.Op == syntax.STAR || e.Op == syntax.STARSTAR {
			e.X = guardCall(e.OpPos, "[:]", e.X)
		}
	}
	return e
}

// binary rewrites an operation with two operands. It leaves most operations on numbers of limited
// size and most comparisons with constants unchanged. Most operations in scripts are of
// these two kinds, and they need little memory.
func (r *rewriter) binary(e *syntax.BinaryExpr) syntax.Expr {
	e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	x, y := isNumber(e.X), isNumber(e.Y)
	switch e.Op {
	case syntax.PLUS, syntax.MINUS, syntax.EQL, syntax.NEQ, syntax.LT, syntax.GT, syntax.LE, syntax.GE:
		if x || y || isConstant(e.X) || isConstant(e.Y) && e.Op != syntax.PLUS {
			return e
		}
	case syntax.STAR:
		if x && y {
			return e
		}
	case syntax.PERCENT, syntax.PIPE, syntax.LTLT, syntax.IN, syntax.NOT_IN:
	default:
		return e
	}
	return guardCall(e.OpPos, e.Op.String(), e.X, e.Y)
}

// isNumber reports whether the source text of e shows that its value is a number of limited size.
func isNumber(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Literal:
		_, big := e.Value.(fmt.Stringer)
		return (e.Token == syntax.INT || e.Token == syntax.FLOAT) && !big
	case *syntax.DotExpr:
		return numberAttributes[e.Name.Name]
	case *syntax.ParenExpr:
		return isNumber(e.X)
	case *syntax.BinaryExpr:
		return (e.Op == syntax.PLUS || e.Op == syntax.MINUS || e.Op == syntax.STAR) && isNumber(e.X) && isNumber(e.Y)
	}
	return false
}

// isConstant reports whether e is a literal, None, True or False. A comparison with such a value
// takes little time.
func isConstant(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Literal:
		return true
	case *syntax.Ident:
		return e.Name == "None" || e.Name == "True" || e.Name == "False"
	}
	return false
}
