package corpus

import (
	"fmt"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// TestClassColumns: which column of a table of measurements is taken for the classes, by headers of
// published tables and of what people measure. w before a name: its column holds a few words that
// recur; n: another word in each row; d: a few whole numbers; the others hold measurements.
func TestClassColumns(t *testing.T) {
	for _, c := range []struct{ header, classes string }{
		// Names of classes, wherever they are.
		{"sepal length (cm),sepal width (cm),petal length (cm),petal width (cm),w:species", "species"},
		{"w:species,culmen_length_mm,culmen_depth_mm,flipper_length_mm,body_mass_g", "species"},
		{"w:species,w:island,bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g,w:sex", "species"},
		{"n:id,w:diagnosis,radius_mean,texture_mean,perimeter_mean,area_mean", "diagnosis"},
		{"d:class,alcohol,malic acid,ash,alcalinity of ash,magnesium,proline", "class"},
		{"alcohol,malic_acid,ash,alcalinity_of_ash,magnesium,total_phenols,d:target", "target"},
		{"RI,Na,Mg,Al,Si,K,Ca,Ba,Fe,w:Type", "Type"},
		{"w:lettr,x-box,y-box,width,high,onpix", "lettr"},
		{"area,perimeter,compactness,length,width,asymmetry,groove,w:variety", "variety"},
		{"Area,Perimeter,MajorAxisLength,MinorAxisLength,w:Class", "Class"},
		{"variance,skewness,curtosis,entropy,d:class", "class"},
		{"mcg,gvh,alm,mit,w:localization_site_class", "localization_site_class"},
		{"n:animal_name,legs,weight,height,d:class_label", "class_label"},
		{"Pregnancies,Glucose,BloodPressure,SkinThickness,Insulin,BMI,Age,d:Outcome", "Outcome"},
		{"w:genre,loudness,tempo,energy,valence,danceability", "genre"},
		{"tBodyAcc-mean,tBodyAcc-std,tGravityAcc-mean,w:Activity", "Activity"},
		{"w:cell_type,CD3,CD4,CD8,CD19,CD56", "cell_type"},
		{"n:sample,gene1,gene2,gene3,gene4,w:tissue", "tissue"},
		{"w:Kategorie,Länge,Breite,Höhe,Gewicht", "Kategorie"},
		{"longueur,largeur,hauteur,poids,w:espèce", "espèce"},
		{"w:CellType,CD3,CD4,CD8,CD19", "CellType"},
		// The last column, whatever it is called, but for names of rooms, users and the like.
		{"attribute1,attribute2,attribute3,w:V35", "V35"},
		{"mpg,cylinders,displacement,horsepower,w:origin", "origin"},
		{"age,bmi,children,charges,w:smoker", "smoker"},
		{"F1,F2,F3,F4,w:signal_state", "signal_state"},
		// What says where, when or of whom a row is.
		{"w:room,temperature,humidity,co2,light", ""},
		{"temperature,humidity,co2,light,w:room", ""},
		{"temperature,w:sensor_id,humidity", ""},
		{"w:sensorId,temperature,humidity", ""},
		{"co,humidity,lpg,smoke,temp,w:device", ""},
		{"w:user_id,steps,distance,calories,w:weekday", ""},
		{"w:station,PM2.5,PM10,SO2,NO2,CO,O3", ""},
		{"PM2.5,PM10,SO2,NO2,CO,O3,w:station", ""},
		{"invest,value,capital,w:firm,year", ""},
		{"w:country,year,lifeExp,pop,gdpPercap", ""},
		{"w:symbol,open,high,low,close", ""},
		{"total_bill,tip,size,w:day", ""},
		{"w:patient,heart_rate,spo2,resp_rate", ""},
		{"n:id,w:store,sales,customers,promo", ""},
		{"w:subject,trial_time,reaction,accuracy", ""},
		{"w:site,yield,rain,nitrogen", ""},
		{"w:Raum,Temperatur,Feuchte", ""},
		{"w:City,w:Country,lat,lon,population,area", ""},
		{"w:Series,X,Z", ""},
		{"w:batch,w:operator,thickness,roughness,hardness,gloss", ""},
		{"d:room,temperature,humidity,co2", ""},
		{"d:quality,alcohol,sulphates,pH", ""},
	} {
		var names, words []string
		for field := range strings.SplitSeq(c.header, ",") {
			kind, name, marked := strings.Cut(field, ":")
			if !marked {
				kind, name = "", field
			}
			if names = append(names, name); kind == "w" {
				words = append(words, name)
			}
		}
		var b strings.Builder
		b.WriteString(strings.Join(names, ",") + "\n")
		for i := range 60 {
			for j, field := range strings.Split(c.header, ",") {
				if j > 0 {
					b.WriteString(",")
				}
				switch field[:min(2, len(field))] {
				case "w:":
					fmt.Fprintf(&b, "%c%c", 'a'+j, 'a'+(i*(j+3)+i*i)%7%4)
				case "n:":
					fmt.Fprintf(&b, "name%d", i)
				case "d:":
					fmt.Fprint(&b, 1+i*i%7%3)
				default:
					fmt.Fprintf(&b, "%d.%02d", i*(j+2)%17, i*(j+5)%97)
				}
			}
			b.WriteString("\n")
		}
		read := readNamed(t, "a.csv", b.String(), ReadOptions{})
		notes := strings.Join(read.Notes, "\n")
		got := ""
		for j, name := range names {
			if strings.Contains(notes, fmt.Sprintf("The classes are column %d (%s)", j+1, name)) {
				got = name
			}
		}
		if got != c.classes || (read.Labels != nil) != (c.classes != "") {
			t.Errorf("%s: the classes are %q, want %q; notes %q", c.header, got, c.classes, read.Notes)
		}
		for _, name := range words { // each is named, with the option that makes it the classes
			if name != c.classes && !strings.Contains(notes, "("+name+")") {
				t.Errorf("%s: no note names %s: %q", c.header, name, read.Notes)
			}
		}
		if (c.classes != "" || len(words) > 0) && !strings.Contains(notes, "‹label-column›") {
			t.Errorf("%s: no note names the option: %q", c.header, read.Notes)
		}
	}
}

// TestClassColumnBesideTexts: the one column beside texts is the classes, unless it has the name of
// a room, a user and the like.
func TestClassColumnBesideTexts(t *testing.T) {
	for name, is := range map[string]bool{"section": true, "author": true, "stars": true, "language": true, "user": false, "user_id": false, "room": false, "priority": false, "city": false, "weekday": false} {
		var b strings.Builder
		fmt.Fprintf(&b, "text,%s\n", name)
		for i := range 30 {
			fmt.Fprintf(&b, "the house number %d of a long street is red,w%d\n", i, i%3)
		}
		c := readNamed(t, "a.csv", b.String(), ReadOptions{})
		if (c.Labels != nil) != is {
			t.Errorf("%s: classes %q; notes %q", name, c.ClassNames, c.Notes)
		}
		wantNote(t, c, "‹label-column›")
	}
}

// TestNoClassesIsCategory: a column that is not taken for the classes may be compared by.
func TestNoClassesIsCategory(t *testing.T) {
	content := tableOf("room,a,b", "%s,%d,%d", 60, func(i int) []any { return []any{[]string{"hall", "bath"}[i%2], i * 7 % 11, i * 5 % 13} })
	c := readNamed(t, "a.csv", content, ReadOptions{Categories: true})
	if c.Labels != nil || !strings.Contains(strings.Join(c.Terms, " "), "hall") {
		t.Errorf("terms %q, classes %q", c.Terms, c.ClassNames)
	}
	if c = readNamed(t, "a.csv", content, ReadOptions{LabelColumn: "room"}); len(c.ClassNames) != 2 {
		t.Errorf("classes %q, and room was asked for", c.ClassNames)
	}
}

// A first column whose values recur does not hold the names of the documents, also where another
// column holds the classes.
func TestRoomsAreNoNames(t *testing.T) {
	var table strings.Builder
	table.WriteString("room,height,width,depth,weight,species\n")
	for i := range 40 {
		fmt.Fprintf(&table, "%s,%d.5,%d.25,%d,%d,%s\n", []string{"red", "blue"}[i%2], i*7%13, i*5%11, i*3%17, i*11%19, []string{"p", "q", "r"}[i%3])
	}
	for _, opt := range []ReadOptions{{}, {LabelColumn: "species"}} {
		c := must.Get(readBytes([]byte(table.String()), "csv", opt))(t)
		wantNote(t, c, "Column 1 (room) holds words and is no term")
		if notes := strings.Join(c.Notes, " "); strings.Contains(notes, "names of the documents") || len(c.ClassNames) != 3 {
			t.Errorf("classes %q; %s", c.ClassNames, notes)
		}
	}
}
