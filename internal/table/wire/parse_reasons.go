package wire

// reasons reads the reasons of a transaction's error, or the one of a single write's with that code.
func (p *parser) reasons(code string) []Reason {
	var all []Reason
	single := Reason{Code: code}
	for more := p.open('{', '}'); more; more = p.more('}') {
		name := p.name()
		switch {
		case p.null():
		case name == "Item" && code != "":
			single.Item = p.item()
		case name == "CancellationReasons" && code == "":
			for more := p.open('[', ']'); more; more = p.more(']') {
				all = append(all, p.reason())
			}
		default:
			p.skip(0)
		}
	}
	if code != "" {
		return []Reason{single}
	}
	return all
}

func (p *parser) reason() Reason {
	var r Reason
	if p.null() {
		return r
	}
	for more := p.open('{', '}'); more; more = p.more('}') {
		name := p.name()
		switch {
		case p.null():
		case name == "Code":
			r.Code = p.string()
		case name == "Item":
			r.Item = p.item()
		default:
			p.skip(0)
		}
	}
	return r
}
