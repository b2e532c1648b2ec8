package gqlgen

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/bench/internal/service"
	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/keys"
)

// documentCache is how many parsed documents are kept, as in gqlgen's own default server.
const documentCache = 1000

// New returns the server.
func New(ctx context.Context, s service.Settings) (http.Handler, error) {
	client, err := service.NewClient(ctx)
	server := handler.New(graph.NewExecutableSchema(graph.Config{Resolvers: root{}}))
	server.AddTransport(transport.POST{})
	server.SetQueryCache(lru.New[*ast.QueryDocument](documentCache))
	return reader{client, s.TableName}.withLoaders(server), err
}

// root has the resolvers of the fields that bench selects. Those of the embedded interfaces are nil.
type root struct{ graph.ResolverRoot }

// Query implements graph.ResolverRoot.
func (root) Query() graph.QueryResolver { return queryResolver{} }

// User implements graph.ResolverRoot.
func (root) User() graph.UserResolver { return userResolver{} }

// Order implements graph.ResolverRoot.
func (root) Order() graph.OrderResolver { return orderResolver{} }

// FollowersEdge implements graph.ResolverRoot.
func (root) FollowersEdge() graph.FollowersEdgeResolver { return followersEdgeResolver{} }

// FollowingEdge implements graph.ResolverRoot.
func (root) FollowingEdge() graph.FollowingEdgeResolver { return followingEdgeResolver{} }

type (
	queryResolver         struct{ graph.QueryResolver }
	userResolver          struct{ graph.UserResolver }
	orderResolver         struct{ graph.OrderResolver }
	followersEdgeResolver struct{ graph.FollowersEdgeResolver }
	followingEdgeResolver struct{ graph.FollowingEdgeResolver }
)

var errForbidden = errors.New("this is not visible to you")

func loadUser(ctx context.Context, id keys.ID) (*model.User, error) {
	it, err := of(ctx).item(ctx, key{"USER#" + id.Value(), "USER#" + id.Value()})
	if err != nil || it == nil {
		return nil, err
	}
	return newUser(it, service.ViewerOf(ctx)), nil
}

func pageSize(first *int) int {
	if first == nil {
		return 10
	}
	return min(*first, 100)
}

// User resolves Query.user.
func (queryResolver) User(ctx context.Context, id keys.ID) (*model.User, error) {
	return loadUser(ctx, id)
}

// Viewer resolves Query.viewer.
func (queryResolver) Viewer(ctx context.Context) (*model.User, error) {
	return loadUser(ctx, keys.NewID("User", service.ViewerOf(ctx).ID))
}

// Order resolves Query.order.
func (queryResolver) Order(ctx context.Context, id keys.ID) (*model.Order, error) {
	it, err := of(ctx).item(ctx, key{"ORDER#" + id.Value(), "ORDER#" + id.Value()})
	if err != nil || it == nil {
		return nil, err
	}
	if !service.ViewerOf(ctx).MayRead(it.Text("userId")) {
		return nil, errForbidden
	}
	return newOrder(it), nil
}

// Nodes resolves Query.nodes.
func (queryResolver) Nodes(ctx context.Context, ids []keys.ID) ([]model.Node, error) {
	all := make([]key, len(ids))
	for i, id := range ids {
		all[i] = nodeKey(id)
	}
	items, errs := of(ctx).items.LoadMany(ctx, all)()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	v := service.ViewerOf(ctx)
	nodes := make([]model.Node, len(ids))
	for i, it := range items {
		switch typ := it.Text("entityType"); {
		case typ == "User":
			nodes[i] = newUser(it, v)
		case !v.MayRead(it.Text("userId")):
		case typ == "Order":
			nodes[i] = newOrder(it)
		case typ == "Item":
			nodes[i] = newItem(it)
		}
	}
	return nodes, nil
}

func nodeKey(id keys.ID) key {
	values := id.Values()
	if id.Type() == "Item" && len(values) == 2 {
		line, _ := strconv.Atoi(values[1]) // an item that does not exist otherwise
		return key{"ORDER#" + values[0], fmt.Sprintf("ITEM#%04d", line)}
	}
	base := strings.ToUpper(id.Type()) + "#" + id.Value()
	return key{base, base}
}

// statusShards is over how many partitions the orders in a state are spread.
const statusShards = 4

// OrdersByStatus resolves Query.ordersByStatus.
func (queryResolver) OrdersByStatus(
	ctx context.Context, status model.OrderStatus, _ *model.TimeRange, first *int, _ *string, _ *int, _ *string,
) (*model.OrdersByStatusConnection, error) {
	if !service.ViewerOf(ctx).IsAdmin() {
		return nil, errForbidden
	}
	n := pageSize(first)
	shards := make([]page, statusShards)
	for i := range shards {
		// One more than the page, to know whether there is a next one.
		shards[i] = page{index: "GSI1", pk: fmt.Sprintf("STATUS#%s#%d", status, i), limit: n + 1}
	}
	pages, errs := of(ctx).pages.LoadMany(ctx, shards)()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	all := slices.Concat(pages...)
	slices.SortFunc(all, func(a, b service.Item) int { return strings.Compare(a.Text("GSI1SK"), b.Text("GSI1SK")) })
	connection := &model.OrdersByStatusConnection{PageInfo: &model.PageInfo{HasNextPage: len(all) > n}}
	for _, it := range all[:min(len(all), n)] {
		o := newOrder(it)
		connection.Nodes = append(connection.Nodes, o)
		connection.Edges = append(connection.Edges, &model.OrderEdge{Cursor: cursor(it.Text("GSI1SK")), Node: o})
	}
	return connection, nil
}

// Orders resolves User.orders.
func (userResolver) Orders(
	ctx context.Context, obj *model.User, _ *model.TimeRange, first *int, _ *string, _ *int, _ *string,
) (*model.OrderConnection, error) {
	if !service.ViewerOf(ctx).MayRead(obj.ID.Value()) {
		return nil, errForbidden
	}
	items, err := of(ctx).page(ctx,
		page{pk: "USER#" + obj.ID.Value(), sk: "ORDER#", descending: true, limit: pageSize(first)})
	if err != nil {
		return nil, err
	}
	connection := &model.OrderConnection{TotalCount: obj.OrderCount}
	for _, it := range items {
		connection.Nodes = append(connection.Nodes, newOrder(it))
	}
	return connection, nil
}

// Followers resolves User.followers.
func (userResolver) Followers(
	ctx context.Context, obj *model.User, first *int, _ *string, _ *int, _ *string,
) (*model.FollowersConnection, error) {
	items, err := of(ctx).page(ctx, page{pk: "USER#" + obj.ID.Value(), sk: "FOLLOWED_BY#", limit: pageSize(first)})
	if err != nil {
		return nil, err
	}
	connection := &model.FollowersConnection{TotalCount: obj.FollowerCount}
	for _, it := range items {
		at := service.ParseTime(it.Text("followedAt"))
		connection.Edges = append(connection.Edges, &model.FollowersEdge{
			Cursor:     cursor(it.Text("SK")),
			FollowedAt: at,
			Follow:     &model.Follow{FollowerID: keys.NewID("User", it.Text("followerId")), FolloweeID: obj.ID, FollowedAt: at},
		})
	}
	return connection, nil
}

// Following resolves User.following.
func (userResolver) Following(
	ctx context.Context, obj *model.User, first *int, _ *string, _ *int, _ *string,
) (*model.FollowingConnection, error) {
	items, err := of(ctx).page(ctx, page{pk: "USER#" + obj.ID.Value(), sk: "FOLLOWS#", limit: pageSize(first)})
	if err != nil {
		return nil, err
	}
	connection := &model.FollowingConnection{TotalCount: obj.FollowingCount}
	for _, it := range items {
		connection.Edges = append(connection.Edges, &model.FollowingEdge{
			Follow: &model.Follow{FollowerID: obj.ID, FolloweeID: keys.NewID("User", it.Text("followeeId"))},
		})
	}
	return connection, nil
}

// Node resolves FollowingEdge.node.
func (followingEdgeResolver) Node(ctx context.Context, obj *model.FollowingEdge) (*model.User, error) {
	return loadUser(ctx, obj.Follow.FolloweeID)
}

// cursor returns the position of an item in its collection.
func cursor(sk string) string { return base64.RawURLEncoding.EncodeToString([]byte(sk)) }

// Node resolves FollowersEdge.node.
func (followersEdgeResolver) Node(ctx context.Context, obj *model.FollowersEdge) (*model.User, error) {
	return loadUser(ctx, obj.Follow.FollowerID)
}

// Customer resolves Order.customer.
func (orderResolver) Customer(ctx context.Context, obj *model.Order) (*model.User, error) {
	return loadUser(ctx, obj.UserID)
}

// Items resolves Order.items.
func (orderResolver) Items(
	ctx context.Context, obj *model.Order, first *int, _ *string, _ *int, _ *string,
) (*model.ItemConnection, error) {
	items, err := of(ctx).page(ctx, page{pk: "ORDER#" + obj.ID.Value(), sk: "ITEM#", limit: pageSize(first)})
	if err != nil {
		return nil, err
	}
	connection := &model.ItemConnection{}
	for _, it := range items {
		connection.Nodes = append(connection.Nodes, newItem(it))
	}
	return connection, nil
}
