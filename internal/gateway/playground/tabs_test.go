package playground

import (
	"slices"
	"testing"
)

func TestTabs(t *testing.T) {
	for name, test := range map[string]struct {
		document string
		want     []string
	}{
		"nothing":       {"\n", nil},
		"one operation": {"# A.\nquery A { a }\n", []string{"# A.\nquery A { a }\n"}},
		"no name":       {"query A { a }\nquery { b }\n", []string{"query A { a }\nquery { b }\n"}},
		"one line":      {"query A { a } query B { b }", []string{"query A { a } query B { b }"}},
		"not a query":   {"query A { a }\nquery B {\n", []string{"query A { a }\nquery B {\n"}},
		"several": {
			"# First.\nquery A {\n  ...F\n}\n\n# Second.\nmutation B { b { ... on T { ...G } } }\n\n# The fragment.\n" +
				"fragment F on Q { a { ...G } }\nfragment G on T { c }\nfragment H on T { c }\n",
			[]string{
				"# First.\nquery A {\n  ...F\n}\n\n# The fragment.\nfragment F on Q { a { ...G } }\n\nfragment G on T { c }\n",
				"# Second.\nmutation B { b { ... on T { ...G } } }\n\nfragment G on T { c }\n",
			},
		},
	} {
		var got []string
		for _, tab := range Tabs(test.document) {
			got = append(got, tab.Query)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
