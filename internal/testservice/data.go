package testservice

import (
	"fmt"
	"sync"
	"time"

	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// How many objects of the main types the library has, numbered from 1.
const (
	Readers  = 30
	Books    = 40
	Loans    = 150
	Branches = 3
	Clubs    = 3
)

// Opened is the time at which the library opened. Everything in the data happened after it.
var Opened = time.Date(2026, time.January, 1, 8, 0, 0, 0, time.UTC)

// Now is the time of the service's operations.
var Now = time.Date(2026, time.June, 1, 12, 30, 0, 250_000_000, time.UTC)

// Reader returns the id of a reader. Reader 1, Ada, has a quarter of the loans and recommends 25 books.
func Reader(n int) keys.ID { return keys.NewID("Reader", fmt.Sprintf("r%03d", n)) }

// Book returns the id of a book. Each reader recommends book 1.
func Book(n int) keys.ID { return keys.NewID("Book", fmt.Sprintf("b%03d", n)) }

// Loan returns the id of a loan. Loans whose number is divisible by 4 are Ada's; loan 4 has 12 reminders and 3 notes.
func Loan(n int) keys.ID { return keys.NewID("Loan", fmt.Sprintf("l%03d", n)) }

// Branch returns the id of a branch. Branch 3 is closed: the edited resolver of Query.branch returns null.
func Branch(n int) keys.ID { return keys.NewID("Branch", fmt.Sprintf("c%d", n)) }

// Club returns the id of a club. Ada has founded clubs 1 and 3, and reader 2 club 2. Club 1 has no members, club 2 has
// as many as it may have, and Ada is the only one of club 3.
func Club(n int) keys.ID { return keys.NewID("Club", fmt.Sprintf("k%d", n)) }

// Reminder returns the id of a reminder of a loan.
func Reminder(loan, number int) keys.ID {
	return keys.NewID("Reminder", Loan(loan).Value(), fmt.Sprint(number))
}

// borrower returns the number of the reader of a loan.
func borrower(loan int) int {
	if loan%4 == 0 {
		return 1
	}
	return 2 + loan*7%(Readers-1)
}

// recommended returns the numbers of the books that a reader recommends.
func recommended(reader int) []int {
	books := []int{1}
	if reader == 1 {
		for n := 2; n <= 25; n++ {
			books = append(books, n)
		}
		return books
	}
	for i := range 6 {
		books = append(books, 2+(reader*5+i*6)%(Books-1))
	}
	return books
}

// Items returns all items of the library's table, the same in each run. The caller may change the slice, not the
// items.
func Items() []item.Item { return append([]item.Item(nil), stored()...) }

// awards returns how many awards a book has.
func awards(book int) int {
	switch {
	case book == 1:
		return 5
	case book%4 == 0:
		return 1
	default:
		return 0
	}
}

// reminders returns how many reminders a loan has.
func reminders(loan int) int {
	switch {
	case loan == 4:
		return 12
	case loan%3 == 1:
		return 2
	default:
		return 0
	}
}

var stored = sync.OnceValue(func() []item.Item {
	var d data
	loans, recommendedBy := map[int]int{}, map[int]int{}
	for n := 1; n <= Loans; n++ {
		loans[borrower(n)]++
	}
	for n := 1; n <= Readers; n++ {
		for _, book := range recommended(n) {
			recommendedBy[book]++
			d.recommend(n, book)
		}
	}
	for n := 1; n <= Readers; n++ {
		d.addReader(n, loans[n], len(recommended(n)))
	}
	for n := 1; n <= Books; n++ {
		d.addBook(n, recommendedBy[n])
	}
	for n := 1; n <= Loans; n++ {
		d.addLoan(n)
	}
	for n := 1; n <= Branches; n++ {
		d.addBranch(n)
	}
	for n := 1; n <= Clubs; n++ {
		d.addClub(n)
	}
	return d.items
})

// members are the numbers of the readers who are in each club.
var members = map[int][]int{2: {2, 3, 4}, 3: {1}}

func (d *data) addClub(n int) {
	town := "Ely"
	club := &model.Club{
		ID: Club(n), Name: fmt.Sprintf("Club %d", n), Town: &town, Genres: []model.Genre{model.GenreNovel},
		FounderID: keys.NewID("", Reader(2-n%2).Value()), FoundedAt: Opened, ChangedAt: Opened,
		MemberCount: len(members[n]), Version: n,
	}
	add(d, typed.StoredClub, club)
	t := typed.Design.Type("Club")
	for _, u := range t.Uniques {
		claim, err := write.UniqueClaim(t, u, d.items[len(d.items)-1])
		if err != nil {
			panic(err)
		}
		d.items = append(d.items, claim)
	}
	for _, reader := range members[n] {
		id := keys.NewID("", Reader(reader).Value())
		add(d, typed.StoredMembership, &model.Membership{ReaderID: id, ClubID: Club(n), Since: Opened})
	}
}

type data struct{ items []item.Item }

// add adds the stored items of an object.
func add[T any](d *data, stored func(T) ([]item.Item, error), object T) {
	d.items = append(d.items, Stored(stored, object)...)
}

// Stored returns the stored items of an object. It panics if the object cannot be stored, which is a mistake of
// the test.
func Stored[T any](stored func(T) ([]item.Item, error), object T) []item.Item {
	items, err := stored(object)
	if err != nil {
		panic(err)
	}
	return items
}

func (d *data) addReader(n, loans, recommendations int) {
	name, card := fmt.Sprintf("Reader %d", n), fmt.Sprintf("C-%04d", n)
	if n == 1 {
		name = "Ada"
	}
	birthday := keys.CalendarDate(fmt.Sprintf("19%02d-07-%02d", 60+n, n))
	add(d, typed.StoredReader, &model.Reader{
		ID: Reader(n), Name: name, Card: &card, Birthday: &birthday,
		Address:   &model.Address{Lines: []string{fmt.Sprintf("Mill Lane %d", n), "2nd floor"}, Town: "Ely"},
		Interests: []model.Genre{model.AllGenre[n%3], model.GenrePoetry},
		LoanCount: loans, RecommendationCount: recommendations,
	})
}

// addBook leaves the last four books without ISBN, branch and day of publication.
func (d *data) addBook(n, recommendedCount int) {
	book := &model.Book{
		ID: Book(n), Title: fmt.Sprintf("Title %d", n), Genre: model.AllGenre[n%3], RecommendedCount: recommendedCount,
		Price: &model.Money{Amount: 100*n + 99, Currency: "EUR"},
	}
	if n <= Books-4 {
		isbn, floor, shelf := fmt.Sprintf("978-%04d", n), 1+n%3, string(rune('A'+n%4))
		branch, published := Branch(1+n%2), keys.CalendarDate(fmt.Sprintf("%d-05-01", 1980+n))
		book.Isbn, book.Floor, book.Shelf, book.BranchID, book.PublishedOn = &isbn, &floor, &shelf, &branch, &published
	}
	if n == 1 || n%5 == 0 && n < Books {
		sequel := Book(n + 1)
		book.SequelID = &sequel
	}
	add(d, typed.StoredBook, book)
	for year := range awards(n) {
		add(d, typed.StoredAward, &model.Award{BookID: Book(n), Year: 2001 + 3*year, Prize: "Golden Page"})
	}
}

func (d *data) recommend(reader, book int) {
	add(d, typed.StoredRecommendation, &model.Recommendation{
		ReaderID: Reader(reader), BookID: Book(book), Stars: 1 + (reader+book)%5,
		MadeAt: Opened.Add(time.Duration(reader*50+book) * time.Hour),
	})
}

// lent returns when the book of a loan was lent.
func lent(n int) time.Time { return Opened.Add(time.Duration(n) * 13 * time.Hour) }

func (d *data) addLoan(n int) {
	lentAt := lent(n)
	loan := &model.Loan{
		ID: Loan(n), ReaderID: Reader(borrower(n)), BookID: Book(1 + n%Books), State: model.AllLoanState[n%3],
		LentAt: lentAt, DueOn: keys.DateOf(lentAt.AddDate(0, 0, 28)), Renewed: n%7 == 0,
	}
	if n%6 == 4 {
		loan.Fine = &model.Money{Amount: 10 * n, Currency: "EUR"}
	}
	add(d, typed.StoredLoan, loan)
	for i := range reminders(n) {
		add(d, typed.StoredReminder, &model.Reminder{
			LoanID: Loan(n), ReaderID: loan.ReaderID, Number: i + 1, Batch: fmt.Sprintf("ROUND-%d", i+1),
			SentAt: Opened.AddDate(0, i+1, n%2), Text: "Please bring the book back.",
		})
	}
	if n == 4 {
		for i := range 3 {
			add(d, typed.StoredNote, &model.Note{
				LoanID: Loan(n), NotedAt: lentAt.AddDate(0, 0, i), Text: "Called, no answer.",
			})
		}
	}
}

func (d *data) addBranch(n int) {
	add(d, typed.StoredBranch, &model.Branch{ID: Branch(n), Name: fmt.Sprintf("Branch %d", n)})
	for i := range 6 {
		seats := 20 + i
		add(d, typed.StoredEvent, &model.Event{
			BranchID: Branch(n), StartsAt: Opened.AddDate(0, i/2, 0), Number: i + 1,
			Title: fmt.Sprintf("Event %d", i+1), Seats: &seats,
		})
	}
	for i := range 4 {
		title, text := fmt.Sprintf("Notice %d", i+1), "For members."
		add(d, typed.StoredNotice, &model.Notice{BranchID: Branch(n), Number: i + 1, Title: title, Text: &text})
	}
	for i := range 40 {
		at, door := Opened.Add(time.Duration(i)*67*time.Hour), []string{"NORTH", "SOUTH"}[i%2]
		add(d, typed.StoredVisit, &model.Visit{BranchID: Branch(n), At: at, Door: door})
	}
}
