package designpage

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"strconv"
	"strings"

	"github.com/partita/partita/internal/gateway/playground"
)

var (
	//go:embed page.gohtml
	pageText string
	//go:embed design.css
	style string
	//go:embed design.js
	script string
)

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"md": markdown, "join": strings.Join, "number": func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) },
	"plural": plural, "lower": strings.ToLower,
}).Parse(pageText))

// view is the data of the template.
type view struct {
	*Page
	// Links are the other pages of the gateway; none in a file.
	Links  []playground.Link
	Policy string
	Style  template.CSS
	Script template.JS
}

// HTML returns the page as one file, which sends no request, and its Content-Security-Policy. Links are those to the
// other pages of a gateway.
func (p *Page) HTML(links []playground.Link) (text []byte, policy string) {
	styles, scripts := playground.Tokens+style, playground.Scheme+script
	policy = fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'",
		playground.SourceOf(styles), playground.SourceOf(scripts))
	v := view{
		Page: p, Links: links, Policy: policy,
		Style: template.CSS(styles), Script: template.JS(scripts), //nolint:gosec // They are part of the program.
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, v); err != nil {
		panic(fmt.Errorf("designpage: bug: %w", err)) // A page is complete, and a buffer returns no error.
	}
	return b.Bytes(), policy
}

// markdown returns a text whose code is in backquotes as HTML.
func markdown(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		part = html.EscapeString(part)
		if i%2 == 1 {
			part = "<code>" + part + "</code>"
		}
		b.WriteString(part)
	}
	return template.HTML(b.String()) //nolint:gosec // All of it is escaped.
}

// plural returns a number with the word for it.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
