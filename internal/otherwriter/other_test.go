package otherwriter

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// stranger is what the other program stores that the schema does not know.
func stranger(r *rand.Rand, depth int) value {
	switch r.IntN(11) {
	case 0:
		return n(strings.Repeat("9", 37) + strconv.Itoa(r.IntN(9)+1))
	case 1:
		return s("")
	case 2:
		return &types.AttributeValueMemberB{Value: []byte{0, 255, byte(r.IntN(256))}}
	case 3:
		return &types.AttributeValueMemberNULL{Value: true}
	case 4:
		return &types.AttributeValueMemberSS{Value: []string{"x", "y" + word(r)}}
	case 5:
		return &types.AttributeValueMemberNS{Value: []string{"1", "2.5", strings.Repeat("7", 38)}}
	case 6:
		return &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2, byte(r.IntN(256))}}}
	case 7, 8:
		if depth < 3 {
			return &types.AttributeValueMemberL{Value: []value{
				stranger(r, depth+1), s("a"), n("1"), stranger(r, depth+1), &types.AttributeValueMemberL{},
			}}
		}
		return n("1E+125")
	case 9:
		if depth < 3 {
			return &types.AttributeValueMemberM{Value: attributes{"City": stranger(r, depth+1), "": s("no name")}}
		}
		return &types.AttributeValueMemberM{Value: attributes{}}
	default:
		return n("-0.00000000000000000000000000000000001")
	}
}

// strange adds attributes that no field declares to a value, and to all objects in it. Their names are those of fields
// where these are stored under others.
func strange(r *rand.Rand, fields []field, v value) value {
	switch v := v.(type) {
	case *types.AttributeValueMemberM:
		out := attributes{}
		for name, part := range v.Value {
			out[name] = part
			if i := slices.IndexFunc(fields, func(f field) bool { return f.attribute() == name }); i >= 0 &&
				fields[i].kind != anything {
				out[name] = strange(r, fields[i].of, part)
			}
		}
		for _, name := range []string{"_a", "x.y", "lat", "city", "sku", "soldAt", "price"} {
			isDeclared := func(f field) bool { return f.attribute() == name }
			if r.IntN(3) == 0 && !slices.ContainsFunc(fields, isDeclared) {
				out[name] = stranger(r, 0)
			}
		}
		return &types.AttributeValueMemberM{Value: out}
	case *types.AttributeValueMemberL:
		out := make([]value, len(v.Value))
		for i, e := range v.Value {
			out[i] = strange(r, fields, e)
		}
		return &types.AttributeValueMemberL{Value: out}
	default:
		return v
	}
}

// declared returns the values of fields as the other program stores them, in forms of its own.
func declared(r *rand.Rand, fields []field) value {
	changes := map[string]change{}
	for _, f := range fields {
		if f.required || r.IntN(4) > 0 {
			changes[f.name] = f.drawn(r, nil)
		}
	}
	m := applied(fields, changes, nil, true).(*types.AttributeValueMemberM)
	otherForms(r, fields, m)
	return m
}

// otherForms gives values the forms that another program may give them.
func otherForms(r *rand.Rand, fields []field, m *types.AttributeValueMemberM) {
	for _, f := range fields {
		name := f.attribute()
		switch v := m.Value[name].(type) {
		case nil:
			if !f.required && f.name != "state" && f.name != "rank" && r.IntN(4) == 0 {
				m.Value[name] = &types.AttributeValueMemberNULL{Value: true}
			}
		case *types.AttributeValueMemberS:
			if f.kind == digits {
				m.Value[name] = s("00" + v.Value)
			}
		case *types.AttributeValueMemberL:
			if f.kind == texts && len(v.Value) > 0 && r.IntN(2) == 0 {
				var all []string
				for _, e := range v.Value {
					all = append(all, e.(*types.AttributeValueMemberS).Value)
				}
				m.Value[name] = &types.AttributeValueMemberSS{Value: slices.Compact(slices.Sorted(slices.Values(all)))}
			}
			for _, e := range v.Value {
				if o, is := e.(*types.AttributeValueMemberM); is {
					otherForms(r, f.of, o)
				}
			}
		case *types.AttributeValueMemberM:
			otherForms(r, f.of, v)
		}
	}
}
