package gqlgen

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/graph-gophers/dataloader/v7"

	"github.com/partita/partita/bench/internal/service"
)

// wait is how long a loader waits for further keys, as in the documentation of gqlgen. The default of dataloader is
// 16 ms.
const wait = time.Millisecond

// maxKeys is how many keys a BatchGetItem may have.
const maxKeys = 100

// key is a primary key.
type key struct{ pk, sk string }

// page is one request for items of a partition whose sort keys begin with sk.
type page struct {
	index, pk, sk string
	descending    bool
	limit         int
}

// loaders read from the table for one request.
type loaders struct {
	// items returns nil for an item that does not exist.
	items *dataloader.Loader[key, service.Item]
	pages *dataloader.Loader[page, []service.Item]
}

type loadersKey struct{}

func of(ctx context.Context) *loaders { return ctx.Value(loadersKey{}).(*loaders) }

func (l *loaders) item(ctx context.Context, k key) (service.Item, error) {
	return l.items.Load(ctx, k)()
}

func (l *loaders) page(ctx context.Context, p page) ([]service.Item, error) {
	return l.pages.Load(ctx, p)()
}

// reader has the batch functions of the loaders.
type reader struct {
	client *dynamodb.Client
	table  string
}

// withLoaders adds loaders to the context of each request.
func (r reader) withLoaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		l := &loaders{
			items: dataloader.NewBatchedLoader(r.getItems, dataloader.WithWait[key, service.Item](wait),
				dataloader.WithBatchCapacity[key, service.Item](maxKeys)),
			pages: dataloader.NewBatchedLoader(r.queryPages, dataloader.WithWait[page, []service.Item](wait)),
		}
		next.ServeHTTP(w, request.WithContext(context.WithValue(request.Context(), loadersKey{}, l)))
	})
}

var errUnprocessed = errors.New("the table is busy; try again")

// getItems reads a batch by one BatchGetItem.
func (r reader) getItems(ctx context.Context, keys []key) []*dataloader.Result[service.Item] {
	all := make([]map[string]types.AttributeValue, len(keys))
	for i, k := range keys {
		all[i] = map[string]types.AttributeValue{
			"PK": &types.AttributeValueMemberS{Value: k.pk},
			"SK": &types.AttributeValueMemberS{Value: k.sk},
		}
	}
	out, err := r.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
		RequestItems: map[string]types.KeysAndAttributes{r.table: {Keys: all}},
	})
	found := make(map[key]service.Item, len(keys))
	switch {
	case err != nil:
	case len(out.UnprocessedKeys) > 0:
		err = errUnprocessed
	default:
		for _, attributes := range out.Responses[r.table] {
			it := service.Item(attributes)
			found[key{it.Text("PK"), it.Text("SK")}] = it
		}
	}
	results := make([]*dataloader.Result[service.Item], len(keys))
	for i, k := range keys {
		results[i] = &dataloader.Result[service.Item]{Data: found[k], Error: err}
	}
	return results
}

// queryPages reads each page of a batch by a Query, all at once.
func (r reader) queryPages(ctx context.Context, pages []page) []*dataloader.Result[[]service.Item] {
	results := make([]*dataloader.Result[[]service.Item], len(pages))
	var group sync.WaitGroup
	for i, p := range pages {
		group.Go(func() {
			items, err := r.query(ctx, p)
			results[i] = &dataloader.Result[[]service.Item]{Data: items, Error: err}
		})
	}
	group.Wait()
	return results
}

func (r reader) query(ctx context.Context, p page) ([]service.Item, error) {
	in := &dynamodb.QueryInput{
		TableName:                 &r.table,
		KeyConditionExpression:    aws.String(p.index + "PK = :pk"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":pk": &types.AttributeValueMemberS{Value: p.pk}},
		Limit:                     aws.Int32(int32(p.limit)),
		ScanIndexForward:          aws.Bool(!p.descending),
	}
	if p.index != "" {
		in.IndexName = &p.index
	}
	if p.sk != "" {
		in.KeyConditionExpression = aws.String(p.index + "PK = :pk AND begins_with(" + p.index + "SK, :sk)")
		in.ExpressionAttributeValues[":sk"] = &types.AttributeValueMemberS{Value: p.sk}
	}
	out, err := r.client.Query(ctx, in)
	if err != nil {
		return nil, err
	}
	items := make([]service.Item, len(out.Items))
	for i, it := range out.Items {
		items[i] = it
	}
	return items, nil
}
