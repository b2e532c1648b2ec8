package main

import "fmt"

// products: the key is a Number alone, for books, bicycles and vouchers. Some ids are negative, or have more digits
// than 32 bits. Some books have no price and are in no index; equal prices have no order.
//
// Indexes: PriceIndex (ProductCategory, Price), all attributes; BrandIndex (Brand), KEYS_ONLY.
func products() []item {
	var items []item
	for n := range 33 {
		id := 101 + n
		if n%8 == 7 {
			id = -n
		}
		book := item{
			"Id": number(id), "ProductCategory": text("Book"), "Title": textf("Book %d Title", n),
			"ISBN": textf("111-%010d", n), "PageCount": number(100 + 50*(n%5)), "InPublication": {"BOOL": n%3 > 0},
			"Authors": {"SS": []string{"Author1", fmt.Sprint("Author", 2+n%3)}}, "Dimensions": text("8.5 x 11.0 x 0.5"),
		}
		if n%6 != 5 {
			book["Price"] = number(2.5 * float64(n%7))
		}
		items = append(items, book)
	}
	brands := []string{"Mountain A", "Brand-Company C", "Mountain A", "Brand-Company B"}
	for n := range 21 {
		bicycle := item{
			"Id": number(int64(20_000_000_000) +
				int64(n)*7), "ProductCategory": text("Bicycle"), "Title": textf("20-Bike-%d", n),
			"Brand": text(brands[n%len(brands)]), "Price": number(100 * (1 + n%4)), "Color": list("Red", "Black"),
			"BicycleType": text("Road"),
		}
		if n%5 == 4 {
			delete(bicycle, "Brand")
		}
		items = append(items, bicycle)
	}
	for n := range 9 {
		voucher := item{
			"Id": number(0.25 * float64(1000+n)), "ProductCategory": text("Gift Voucher"), "Value": number(10 + n),
		}
		if n%3 > 0 {
			voucher["For"] = number(101 + n%5)
		}
		items = append(items, voucher)
	}
	return items
}
