package operation

import "testing"

func TestIsTooLarge(t *testing.T) {
	large, small := 1<<31, 1<<31-1
	for _, v := range []any{large, -large - 1, &large, []int{1, large}, []*int{nil, &large}} {
		if !isTooLarge(v) {
			t.Errorf("%T %v is not too large", v, v)
		}
	}
	for _, v := range []any{nil, small, -large, &small, (*int)(nil), []int{small}, []*int{nil, &small}, "x"} {
		if isTooLarge(v) {
			t.Errorf("%T %v is too large", v, v)
		}
	}
}
