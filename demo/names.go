package demo

// 37 and 41 names share no factor, so that few users are namesakes.
var firstNames = []string{
	"Ada", "Alan", "Amara", "Barbara", "Chidi", "Claude", "Dorothy", "Edsger", "Emmy", "Esther",
	"Frances", "Grace", "Hedy", "Ines", "Ivan", "Jean", "Joan", "Katherine", "Kenji", "Lynn",
	"Maria", "Margaret", "Mei", "Nadia", "Niklaus", "Olga", "Priya", "Radia", "Rosa", "Samir",
	"Sofia", "Tomas", "Ursula", "Wei", "Xenia", "Yara", "Zoltan",
}

var lastNames = []string{
	"Lovelace", "Abbott", "Almeida", "Bauer", "Becker", "Bianchi", "Castro", "Chen", "Costa", "Dubois",
	"Eriksen", "Fischer", "Garcia", "Hansen", "Haddad", "Ibrahim", "Ivanova", "Jensen", "Kaur", "Kimura",
	"Kowalski", "Larsen", "Lopez", "Marino", "Meyer", "Moreau", "Nakamura", "Novak", "Okafor", "Olsen",
	"Park", "Patel", "Quist", "Rossi", "Santos", "Schmidt", "Silva", "Tanaka", "Vogel", "Weber", "Young",
}

type product struct {
	sku, name string
	price     int // euro cents
}

var products = []product{
	{"TEA-001", "Green tea, 100 g", 690},
	{"TEA-002", "Black tea, 100 g", 590},
	{"TEA-003", "Mint tea, 50 g", 450},
	{"TEA-004", "Oolong, 50 g", 1290},
	{"COF-001", "Espresso beans, 500 g", 1490},
	{"COF-002", "Filter beans, 500 g", 1390},
	{"COF-003", "Decaf beans, 250 g", 890},
	{"CUP-001", "Porcelain cup", 1250},
	{"CUP-002", "Glass cup, double wall", 1690},
	{"CUP-003", "Travel mug", 2290},
	{"POT-001", "Teapot, 1 l", 3490},
	{"POT-002", "Cast iron teapot", 5990},
	{"POT-003", "French press", 2990},
	{"KET-001", "Gooseneck kettle", 6990},
	{"SCA-001", "Kitchen scale", 2490},
	{"GRI-001", "Hand grinder", 7990},
	{"FIL-001", "Paper filters, 100", 490},
	{"HON-001", "Forest honey, 250 g", 790},
	{"SUG-001", "Rock sugar, 500 g", 390},
	{"BIS-001", "Almond biscuits", 550},
}
