package demo

import (
	"strings"

	"github.com/partita/partita/app"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// Viewer returns the viewer of the playground: Ada, with access to everything.
func Viewer() viewer.Viewer { return viewer.Viewer{ID: Ada().Value(), Roles: []string{"ADMIN"}} }

// Identities returns those among which a visitor of the playground can choose.
func Identities() []app.Identity {
	s := newShop()
	ada, other, staff := s.user(0), s.user(1), s.user(2)
	return []app.Identity{
		{
			Name: "Ada, ADMIN", Description: "Ada Lovelace, who may also see what is for staff: every example works.",
			Viewer: Viewer(),
		},
		{
			Name: "owner", Description: "Ada Lovelace as a customer: sees her own orders and e-mail address.",
			Viewer: viewer.Viewer{ID: ada.ID.Value()},
		},
		{
			Name: "other user", Description: other.Name + ", another customer: sees only what is public of Ada.",
			Viewer: viewer.Viewer{ID: other.ID.Value()},
		},
		{
			Name: "staff", Description: staff.Name + ", who packs and ships with the role ADMIN.",
			Viewer: viewer.Viewer{ID: staff.ID.Value(), Roles: []string{"ADMIN"}},
		},
		{Name: "anonymous", Description: "Not signed in: sees what is public."},
	}
}

// Query returns the examples in the playground, each of which is a tab: every access pattern of the shop, mutations, a
// conflict, live fields, and a query that is too expensive.
func Query() string {
	s := newShop()
	s.fill()
	var order, line string
	for i, o := range s.orders {
		if o.UserID == s.users[0].ID && o.ItemCount > 2 {
			order = s.orders[i].ID.Encode()
			line = keys.NewID("Item", o.ID.Value(), "1").Encode()
			break
		}
	}
	followee := s.follows[0].FolloweeID
	return strings.NewReplacer(
		"{ada}", s.users[0].ID.Encode(), "{order}", order, "{line}", line, "{followee}", followee.Encode(),
		"{follow}", s.follows[0].ID.Encode(), "{stranger}", s.users[Shoppers].ID.Encode(),
	).Replace(examples)
}

const examples = `# Three levels of the shop: a user, her latest orders, their lines.
# extensions.cost in the answer says how many DynamoDB requests it took.
query Ada {
  user(id: "{ada}") {
    name
    orders(first: 3) {
      totalCount
      nodes {
        id
        status
        createdAt
        total { amount currency }
        items(first: 5) {
          nodes { quantity name }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
    followers(first: 3) {
      totalCount
      edges { followedAt node { id name } }
    }
  }
}

# Who is signed in. Choose somebody else above: anonymous callers get null.
query Viewer {
  viewer {
    name
    email
    orderCount
  }
}

# An order by its id, and its customer. The owner is in the item, so that the order is read before anything below it.
query Order {
  order(id: "{order}") {
    status
    total { amount currency }
    items(first: 10) {
      nodes { line name quantity }
    }
    customer { name email }
  }
}

# A span of time in a sort key, from its end: the last two orders of the year, oldest first.
query OrdersOfAYear {
  user(id: "{ada}") {
    orders(createdAt: {from: "2026-01-01T00:00:00Z", to: "2026-12-31T23:59:59Z"}, last: 2) {
      nodes { createdAt status itemCount }
      pageInfo { hasPreviousPage startCursor }
    }
  }
}

# Both directions of one relation. The nodes of all edges are one BatchGetItem.
query Following {
  user(id: "{ada}") {
    following(first: 5) {
      totalCount
      edges { followedAt node { name followerCount } }
    }
    follows(userId: "{followee}") { followedAt }
  }
}

# An index: a user by her e-mail address. For ADMIN.
query UserByEmail {
  userByEmail(email: "ada@example.com") {
    id
    name
    createdAt
  }
}

# An index in four shards, which are merged by time: the work list of those who pack. For ADMIN.
query OrdersByStatus {
  ordersByStatus(status: PAID, first: 5) {
    nodes { id createdAt customer { name } }
    pageInfo { hasNextPage endCursor }
  }
}

# An index of the lines of orders, from which the orders are read. For ADMIN.
query OrdersByProduct {
  ordersByProduct(sku: "TEA-001", first: 5) {
    edges { quantity price { amount } node { id status } }
  }
}

# Global ids of any types: one BatchGetItem.
query Nodes {
  node(id: "{line}") {
    ... on Item { name order { id status } customer { name } }
  }
  nodes(ids: ["{ada}", "{order}", "{follow}"]) {
    __typename
    id
    ... on User { name }
    ... on Order { status }
    ... on Follow { followedAt follower { name } followee { name } }
  }
}

# Writes: an order, its copy, its lines and the user's counter, in one transaction. Each run is another order: this page
# gives $idempotencyKey a new value, unless it has one in Variables. With the same value, no second order is placed.
mutation PlaceOrder($idempotencyKey: String!) {
  placeOrder(
    input: {
      idempotencyKey: $idempotencyKey
      currency: "EUR"
      lines: [
        { sku: "TEA-001", name: "Green tea, 100 g", quantity: 2, price: 690 }
        { sku: "CUP-001", name: "Porcelain cup", quantity: 1, price: 1250 }
      ]
    }
  ) {
    order {
      id
      status
      total { amount currency }
      items(first: 10) { nodes { name quantity } }
      customer { orderCount }
    }
    userErrors { code field message }
  }
}

# A mutation without Go: both directions of the relation, and the counters of both users. The second time, the viewer
# follows the user ALREADY.
mutation Follow {
  followUser(input: { followeeId: "{stranger}" }) {
    follow { followedAt follower { followingCount } followee { name followerCount } }
    userErrors { code message }
  }
}

mutation Unfollow {
  unfollowUser(input: { followeeId: "{stranger}" }) {
    follower { followingCount }
    followee { name followerCount }
    userErrors { code message }
  }
}

# An update with an outdated version: nothing is written, and the answer has the user as she is now.
mutation Conflict {
  updateUser(input: { version: 0, name: "Ada King" }) {
    user { name version }
    userErrors { code field message }
  }
}

# Live: the order as it is, and again after each change, no matter who makes it.
subscription LiveOrder {
  order(id: "{order}") {
    status
    version
    total { amount currency }
  }
}

# Live: run it, and the mutation Follow in another window.
subscription LiveUser {
  user(id: "{ada}") {
    name
    followingCount
    followerCount
  }
}

# Live: a page of the orders first, and then what changes in the collection. PlaceOrder in another window adds one.
subscription LiveOrders {
  orders(userId: "{ada}", first: 3) {
    change
    connection {
      nodes { id status createdAt }
      pageInfo { hasNextPage endCursor }
    }
    edge { cursor node { id status createdAt } }
    nodeId
  }
}

# Live: who follows Ada, and who does so no longer. Of those who leave there is only the id.
subscription LiveFollowers {
  followers(userId: "{ada}", last: 3) {
    change
    connection { edges { followedAt node { name } } }
    edge { followedAt node { name } }
    nodeId
  }
}

# Live: the work list of those who pack. An order arrives when it is placed, and leaves when it is paid. For ADMIN.
subscription LiveOrdersByStatus {
  ordersByStatus(status: PENDING, last: 3) {
    change
    connection { nodes { id createdAt customer { name } } }
    node { id createdAt customer { name } }
    nodeId
  }
}

# Rejected before anything is read, with COST_LIMIT: at worst, it would read a hundred followers, a hundred orders of
# each of them, and the lines of these.
query TooExpensive {
  user(id: "{ada}") {
    followers(first: 100) {
      nodes {
        name
        orders(first: 100) {
          nodes { items(first: 96) { nodes { name quantity } } }
        }
      }
    }
  }
}
`
