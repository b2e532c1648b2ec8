package randomtable

func (p *player) createTeam() error {
	limit := p.drawLimit()
	in := values{}
	if limit != nil {
		in["limit"] = *limit
	}
	payload, err := p.do("", "createTeam", in, "team { id }", (&faults{}).withReads(0))
	if err == nil {
		p.teams[idIn(payload, "team")] = &team{limit: limit}
	}
	return err
}

// idIn returns the id of an object in a payload.
func idIn(payload map[string]any, name string) string {
	return payload[name].(map[string]any)["id"].(string)
}

func (p *player) drawLimit() *int {
	if p.n(4) == 0 {
		return nil
	}
	limit := p.n(8)
	return &limit
}

func (p *player) setLimit() error {
	id, limit := p.team(), p.drawLimit()
	if id == "" {
		return nil
	}
	in := values{"id": id, "limit": nil}
	if limit != nil {
		in["limit"] = *limit
	}
	payload, err := p.do("", "updateTeam", in, "", p.limit(id, limit))
	if payload != nil {
		p.teams[id].limit = limit
	}
	return err
}

func (p *player) removeTeam() error {
	id := p.team()
	if id == "" || p.n(3) > 0 {
		return nil
	}
	f, after := p.deleteTeam(id)
	payload, err := p.do("", "deleteTeam", values{"id": id}, "", f)
	if payload != nil {
		delete(p.teams, id)
		p.gone = append(p.gone, id)
		p.become(after)
	}
	return err
}

func (p *player) join() error {
	id, who := p.team(), viewers[p.n(2)]
	if id == "" {
		return nil
	}
	f := &faults{}
	f.add(p.members[[2]string{id, who}] != "", "ALREADY")
	payload, err := p.do("", "createMember", values{"teamId": id, "userId": who}, "member { id }", f.withReads(0))
	if payload != nil {
		p.members[[2]string{id, who}] = idIn(payload, "member")
	}
	return err
}

func (p *player) leave() error {
	id, who := p.team(), viewers[p.n(2)]
	member := p.members[[2]string{id, who}]
	if member == "" {
		return nil
	}
	delete(p.members, [2]string{id, who})
	_, err := p.do("", "deleteMember", values{"id": member}, "", (&faults{}).withReads(0))
	return err
}
