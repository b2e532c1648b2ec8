package rest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/bench/internal/service"
)

// userItem returns the item of a user.
func (h handlers) userItem(r *http.Request, id string) (attributes, error) {
	u, err := h.table.getItem(r.Context(), userKey(id))
	if err == nil && u == nil {
		err = errNotFound
	}
	return u, err
}

// user answers with the profile of a user: GetItem.
func (h handlers) user(r *http.Request) (any, error) {
	value, err := parseID("User", r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	u, err := h.userItem(r, value)
	if err != nil {
		return nil, err
	}
	type user struct {
		ID             string    `json:"id"`
		Name           string    `json:"name"`
		CreatedAt      time.Time `json:"createdAt"`
		FollowerCount  int       `json:"followerCount"`
		FollowingCount int       `json:"followingCount"`
	}
	return struct {
		User user `json:"user"`
	}{user{
		id("User", value), u.Text("name"), service.ParseTime(u.Text("createdAt")),
		u.Int("followerCount"), u.Int("followingCount"),
	}}, nil
}

// viewer answers with the caller's own account: GetItem.
func (h handlers) viewer(r *http.Request) (any, error) {
	value := service.ViewerOf(r.Context()).ID
	u, err := h.userItem(r, value)
	if err != nil {
		return nil, err
	}
	type user struct {
		ID         string `json:"id"`
		Name       string `json:"name"`
		Email      string `json:"email"`
		OrderCount int    `json:"orderCount"`
	}
	return struct {
		Viewer user `json:"viewer"`
	}{user{id("User", value), u.Text("name"), u.Text("email"), u.Int("orderCount")}}, nil
}

// users answers with the names of some users: BatchGetItem.
func (h handlers) users(r *http.Request) (any, error) {
	ids := r.URL.Query()["id"]
	keys := make([]key, len(ids))
	for i, text := range ids {
		value, err := parseID("User", text)
		if err != nil {
			return nil, err
		}
		keys[i] = userKey(value)
	}
	found, err := getAll(r.Context(), h.table, distinct(keys))
	if err != nil {
		return nil, err
	}
	type user struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	all := make(map[string]*user, len(ids))
	for i, k := range keys {
		name := fmt.Sprint("u", i)
		all[name] = nil
		if u := found[k]; u != nil {
			all[name] = &user{ids[i], u.Text("name")}
		}
	}
	return all, nil
}

// followers answers with a user and those who follow: a Query, then a BatchGetItem, which includes the user.
func (h handlers) followers(r *http.Request) (any, error) {
	value, err := parseID("User", r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	first, err := pageSize(r, "first")
	if err != nil {
		return nil, err
	}
	follows, err := h.table.query(r.Context(), query{pk: "USER#" + value, sk: "FOLLOWED_BY#", limit: first})
	if err != nil {
		return nil, err
	}
	keys := []key{userKey(value)}
	for _, f := range follows {
		keys = append(keys, userKey(f.Text("followerId")))
	}
	found, err := getAll(r.Context(), h.table, keys)
	if err != nil {
		return nil, err
	}
	u := found[keys[0]]
	if u == nil {
		return nil, errNotFound
	}
	type node struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	type edge struct {
		Cursor     string    `json:"cursor"`
		FollowedAt time.Time `json:"followedAt"`
		Node       *node     `json:"node"`
	}
	type connection struct {
		Edges []edge `json:"edges"`
	}
	type user struct {
		Name          string     `json:"name"`
		FollowerCount int        `json:"followerCount"`
		Followers     connection `json:"followers"`
	}
	edges := make([]edge, len(follows))
	for i, f := range follows {
		edges[i] = edge{Cursor: cursor(f.Text("SK")), FollowedAt: service.ParseTime(f.Text("followedAt"))}
		if follower := found[keys[i+1]]; follower != nil {
			edges[i].Node = &node{id("User", f.Text("followerId")), follower.Text("name")}
		}
	}
	return struct {
		User user `json:"user"`
	}{user{u.Text("name"), u.Int("followerCount"), connection{edges}}}, nil
}

// followersFollowing answers with those who follow a user and whom they follow: a Query, then one for each of them with
// a BatchGetItem of their names, then BatchGetItems of the names of those whom they follow.
func (h handlers) followersFollowing(r *http.Request) (any, error) {
	value, err := parseID("User", r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	first, err := pageSize(r, "first")
	if err != nil {
		return nil, err
	}
	follows, err := h.table.query(r.Context(), query{pk: "USER#" + value, sk: "FOLLOWED_BY#", limit: first})
	if err != nil {
		return nil, err
	}
	following := make([][]attributes, len(follows))
	keys := []key{userKey(value)}
	found := map[key]attributes{}
	group, ctx := errgroup.WithContext(r.Context())
	for i, f := range follows {
		keys = append(keys, userKey(f.Text("followerId")))
		group.Go(func() (err error) {
			following[i], err = h.table.query(ctx,
				query{pk: "USER#" + f.Text("followerId"), sk: "FOLLOWS#", limit: first})
			return err
		})
	}
	group.Go(func() (err error) {
		found, err = getAll(ctx, h.table, keys)
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var missing []key
	for _, all := range following {
		for _, f := range all {
			if k := userKey(f.Text("followeeId")); found[k] == nil {
				missing = append(missing, k)
			}
		}
	}
	if err := h.addAll(r, found, distinct(missing)); err != nil {
		return nil, err
	}
	if found[keys[0]] == nil {
		return nil, errNotFound
	}
	return withFollowing(found, keys[1:], following), nil
}

// addAll adds the items of keys, in parallel BatchGetItems.
func (h handlers) addAll(r *http.Request, found map[key]attributes, keys []key) error {
	batches := slices.Collect(slices.Chunk(keys, maxKeys))
	items := make([]map[key]attributes, len(batches))
	group, ctx := errgroup.WithContext(r.Context())
	for i, batch := range batches {
		group.Go(func() (err error) {
			items[i], err = getAll(ctx, h.table, batch)
			return err
		})
	}
	err := group.Wait()
	for _, all := range items {
		maps.Copy(found, all)
	}
	return err
}

func withFollowing(found map[key]attributes, followers []key, following [][]attributes) any {
	type followee struct {
		Name string `json:"name"`
	}
	type followeeEdge struct {
		Node *followee `json:"node"`
	}
	type followeeConnection struct {
		Edges []followeeEdge `json:"edges"`
	}
	type follower struct {
		Name      string             `json:"name"`
		Following followeeConnection `json:"following"`
	}
	type edge struct {
		Node *follower `json:"node"`
	}
	type connection struct {
		Edges []edge `json:"edges"`
	}
	type user struct {
		Followers connection `json:"followers"`
	}
	edges := make([]edge, len(followers))
	for i, k := range followers {
		if found[k] == nil {
			continue
		}
		all := make([]followeeEdge, len(following[i]))
		for j, f := range following[i] {
			if u := found[userKey(f.Text("followeeId"))]; u != nil {
				all[j].Node = &followee{u.Text("name")}
			}
		}
		edges[i].Node = &follower{found[k].Text("name"), followeeConnection{all}}
	}
	return struct {
		User user `json:"user"`
	}{user{connection{edges}}}
}
