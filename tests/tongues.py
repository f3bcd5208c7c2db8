"""The library and the rivers of `bilingual` in ten more languages, written for these tests."""

from bilingual import CHINESE, ENGLISH, OTHER_ENGLISH

LIBRARY = {
    "en": ENGLISH,
    "zh": CHINESE,
    "de": """\
Die alte Bibliothek bei der Schule hat im vergangenen Herbst wieder geöffnet. Arbeiter haben das
undichte Dach repariert und dreitausend alte Bücher in neue Regale gestellt.
Eine pensionierte Lehrerin ordnet jeden Morgen die Zeitungen; sie sagt, die Kinder mögen
Bilderbücher über das Meer und über Dinosaurier am liebsten.
Um Strom zu sparen, wurden Solarzellen angebracht. An Regentagen ist das Licht etwas schwächer, aber
niemand beschwert sich.
An einem Samstag im Mai las der Schriftsteller Wang Xiaoming aus seinem Roman; die Zuhörer füllten
den Saal, und sogar auf der Treppe saßen Leute.
Die Direktorin hofft, im nächsten Jahr einen Scanner zu kaufen, damit kostbare Handschriften und
Karten zu digitalen Dateien werden und auch Gelehrte in der Ferne sie untersuchen können.
""",
    "fr": """\
La vieille bibliothèque près de l'école a rouvert l'automne dernier. Des ouvriers ont réparé le toit
qui fuyait et rangé trois mille livres anciens sur de nouvelles étagères.
Une enseignante à la retraite trie les journaux chaque matin ; elle dit que les enfants préfèrent
les albums sur l'océan et les dinosaures.
Pour économiser l'électricité, on a posé des panneaux solaires. Les jours de pluie, la lumière est
un peu faible, mais personne ne se plaint.
Un samedi de mai, l'écrivain Wang Xiaoming est venu lire son roman ; le public remplissait la salle
et des gens étaient assis jusque dans l'escalier.
L'an prochain, la directrice espère acheter un scanner, pour que les manuscrits précieux et les
cartes deviennent des fichiers que des chercheurs lointains pourront étudier eux aussi.
""",
    "es": """\
La vieja biblioteca que está cerca de la escuela volvió a abrir el otoño pasado. Los obreros
repararon el tejado, que goteaba, y llevaron tres mil libros viejos a estanterías nuevas.
Una maestra jubilada ordena los periódicos cada mañana; dice que a los niños les gustan sobre todo
los libros ilustrados sobre el océano y los dinosaurios.
Para ahorrar electricidad se instalaron paneles solares. Los días de lluvia la luz es algo débil,
pero nadie se queja.
Un sábado de mayo el escritor Wang Xiaoming vino a leer su novela; el público llenó la sala y hubo
gente sentada hasta en las escaleras.
El año que viene la directora espera comprar un escáner, para que los manuscritos valiosos y los
mapas se conviertan en archivos digitales y también los estudiosos lejanos puedan examinarlos.
""",
    "it": """\
La vecchia biblioteca vicino alla scuola ha riaperto lo scorso autunno. Gli operai hanno riparato il
tetto che perdeva e hanno spostato tremila vecchi libri su scaffali nuovi.
Una maestra in pensione ordina i giornali ogni mattina; dice che ai bambini piacciono soprattutto i
libri illustrati sull'oceano e sui dinosauri.
Per risparmiare elettricità sono stati installati pannelli solari. Nei giorni di pioggia la luce è
un po' debole, ma nessuno si lamenta.
Un sabato di maggio lo scrittore Wang Xiaoming è venuto a leggere il suo romanzo; il pubblico
riempiva la sala e c'era gente seduta persino sulle scale.
L'anno prossimo la direttrice spera di comprare uno scanner, perché i manoscritti preziosi e le
mappe diventino file digitali e anche gli studiosi lontani possano esaminarli.
""",
    "pt": """\
A velha biblioteca perto da escola reabriu no outono passado. Os operários consertaram o telhado,
que tinha goteiras, e levaram três mil livros antigos para estantes novas.
Uma professora aposentada arruma os jornais todas as manhãs; ela diz que as crianças gostam mais dos
livros ilustrados sobre o oceano e os dinossauros.
Para poupar eletricidade foram instalados painéis solares. Nos dias de chuva a luz é um pouco fraca,
mas ninguém se queixa.
Num sábado de maio o escritor Wang Xiaoming veio ler o seu romance; o público encheu a sala e havia
gente sentada até nas escadas.
No próximo ano a diretora espera comprar um scanner, para que os manuscritos preciosos e os mapas se
tornem ficheiros digitais e também os estudiosos distantes os possam examinar.
""",
    "nl": """\
De oude bibliotheek bij de school is afgelopen herfst weer opengegaan. Arbeiders hebben het lekkende
dak gerepareerd en drieduizend oude boeken in nieuwe kasten gezet.
Een gepensioneerde lerares sorteert elke ochtend de kranten; ze zegt dat kinderen prentenboeken over
de oceaan en over dinosaurussen het leukst vinden.
Om stroom te besparen zijn er zonnepanelen geplaatst. Op regenachtige dagen is het licht wat zwak,
maar niemand klaagt.
Op een zaterdag in mei kwam de schrijver Wang Xiaoming voorlezen uit zijn roman; het publiek vulde
de zaal en er zaten zelfs mensen op de trap.
Volgend jaar hoopt de directeur een scanner te kopen, zodat kostbare handschriften en kaarten
digitale bestanden worden en ook geleerden ver weg ze kunnen bestuderen.
""",
    "pl": """\
Stara biblioteka koło szkoły została jesienią ubiegłego roku ponownie otwarta. Robotnicy naprawili
przeciekający dach i przenieśli trzy tysiące starych książek na nowe półki.
Emerytowana nauczycielka co rano układa gazety; mówi, że dzieci najbardziej lubią książki obrazkowe
o oceanie i dinozaurach.
Żeby oszczędzać prąd, zamontowano panele słoneczne. W deszczowe dni światło jest trochę słabsze, ale
nikt się nie skarży.
W pewną sobotę w maju pisarz Wang Xiaoming przyjechał czytać swoją powieść; słuchacze wypełnili
salę, a ludzie siedzieli nawet na schodach.
W przyszłym roku dyrektorka ma nadzieję kupić skaner, aby cenne rękopisy i mapy stały się plikami
cyfrowymi i aby mogli je badać także uczeni z daleka.
""",
    "ru": """\
Старая библиотека возле школы снова открылась прошлой осенью. Рабочие починили протекавшую крышу и
перенесли три тысячи старых книг на новые полки.
Учительница на пенсии каждое утро раскладывает газеты; она говорит, что дети больше всего любят
книжки с картинками об океане и динозаврах.
Чтобы экономить электричество, установили солнечные батареи. В дождливые дни свет немного тусклый,
но никто не жалуется.
В одну из суббот мая писатель Ван Сяомин приехал читать свой роман; слушатели заполнили зал, и люди
сидели даже на лестнице.
В следующем году директор надеется купить сканер, чтобы ценные рукописи и карты стали цифровыми
файлами и их могли изучать также учёные, живущие далеко.
""",
    "ja": """\
学校の近くの古い図書館は、昨年の秋に再び開館しました。
作業員たちは雨漏りのする屋根を直し、三千冊の古い本を新しい棚に移しました。
退職した女性教師が毎朝新聞を整理しています。
子どもたちは海や恐竜についての絵本が一番好きだと彼女は言います。
電気代を節約するために、太陽光パネルが取り付けられました。
雨の日は明かりが少し暗くなりますが、誰も文句を言いません。
五月のある土曜日、作家の王小明が自分の小説を朗読しに来ました。
聴衆はホールを埋め、階段にまで人が座っていました。
館長は来年スキャナーを買いたいと考えています。
貴重な写本や地図をデジタルファイルにして、遠くの研究者も調べられるようにするためです。
""",
    "ko": """\
학교 근처의 오래된 도서관이 지난가을에 다시 문을 열었다.
일꾼들은 비가 새던 지붕을 고치고 낡은 책 삼천 권을 새 책장으로 옮겼다.
퇴직한 여교사가 매일 아침 신문을 정리한다.
그녀는 아이들이 바다와 공룡에 관한 그림책을 가장 좋아한다고 말한다.
전기를 아끼기 위해 태양광 패널을 설치했다.
비 오는 날에는 불빛이 조금 어두워지지만 아무도 불평하지 않는다.
오월의 어느 토요일, 작가 왕샤오밍이 와서 자신의 소설을 낭독했다.
청중이 강당을 가득 메웠고 계단에까지 사람들이 앉아 있었다.
관장은 내년에 스캐너를 사기를 바란다.
귀중한 필사본과 지도를 디지털 파일로 만들어 멀리 있는 학자들도 연구할 수 있게 하려는 것이다.
""",
}
RIVERS = {
    "en": OTHER_ENGLISH,
    "zh": """\
山里的河在暴雨之后涨得很快。
徒步的人应当一早过河，松开背包的带子，走的时候面朝上游。
宽而浅的渡口比窄的安全。
水发黄、带着树枝的时候，要等到第二天早上，或者折返。
""",
    "de": """\
Flüsse in den Bergen steigen nach einem Gewitter schnell an. Wanderer sollten früh am Tag queren,
die Riemen ihrer Rucksäcke lockern und beim Gehen flussaufwärts blicken. Eine breite, flache Furt
ist sicherer als eine schmale. Wenn das Wasser braun ist und Äste mitführt, wartet man bis zum
nächsten Morgen oder kehrt um.
""",
    "fr": """\
Les rivières de montagne montent vite après un orage. Les randonneurs doivent traverser tôt dans la
journée, desserrer les sangles de leur sac et marcher face à l'amont. Un gué large et peu profond
est plus sûr qu'un gué étroit. Quand l'eau est brune et charrie des branches, il faut attendre le
lendemain matin ou faire demi-tour.
""",
    "es": """\
Los ríos de montaña crecen deprisa después de una tormenta. Los excursionistas deben cruzar
temprano,
aflojar las correas de la mochila y caminar mirando corriente arriba. Un vado ancho y poco profundo
es más seguro que uno estrecho. Cuando el agua baja marrón y arrastra ramas, hay que esperar a la
mañana siguiente o dar la vuelta.
""",
    "it": """\
I fiumi di montagna salgono in fretta dopo un temporale. Gli escursionisti dovrebbero attraversarli
di buon mattino, allentare le cinghie dello zaino e camminare guardando a monte. Un guado largo e
basso è più sicuro di uno stretto. Quando l'acqua è marrone e porta rami, bisogna aspettare il
mattino seguente o tornare indietro.
""",
    "pt": """\
Os rios de montanha sobem depressa depois de uma tempestade. Os caminhantes devem atravessar de
manhã
cedo, afrouxar as correias da mochila e andar de frente para montante. Um vau largo e raso é mais
seguro do que um estreito. Quando a água está castanha e arrasta ramos, é preciso esperar pela manhã
seguinte ou voltar para trás.
""",
    "nl": """\
Rivieren in de bergen stijgen snel na een onweer. Wandelaars moeten vroeg op de dag oversteken, de
riemen van hun rugzak losmaken en met het gezicht stroomopwaarts lopen. Een brede, ondiepe
doorwaadbare plaats is veiliger dan een smalle. Als het water bruin is en takken meevoert, wacht dan
tot de volgende ochtend of keer om.
""",
    "pl": """\
Rzeki w górach po burzy szybko przybierają. Wędrowcy powinni przechodzić wcześnie rano, poluzować
paski plecaków i iść twarzą pod prąd. Szeroki, płytki bród jest bezpieczniejszy niż wąski. Kiedy
woda jest brązowa i niesie gałęzie, trzeba poczekać do następnego ranka albo zawrócić.
""",
    "ru": """\
Реки в горах после грозы быстро поднимаются. Туристам следует переходить рано утром, ослабить лямки
рюкзаков и идти лицом против течения. Широкий мелкий брод безопаснее узкого. Если вода бурая и несёт
ветки, надо подождать до следующего утра или повернуть назад.
""",
    "ja": """\
山の川は嵐の後すぐに増水します。
登山者は朝早く渡り、リュックの肩ひもを緩め、上流を向いて歩くべきです。
広くて浅い渡り場は狭いところより安全です。
水が茶色くて枝を運んでいるときは、翌朝まで待つか引き返しましょう。
""",
    "ko": """\
산속의 강은 폭풍우가 지나면 빠르게 불어난다.
등산객은 아침 일찍 건너고 배낭끈을 느슨하게 풀고 상류를 바라보며 걸어야 한다.
넓고 얕은 여울이 좁은 곳보다 안전하다.
물이 누렇고 나뭇가지가 떠내려올 때는 다음 날 아침까지 기다리거나 돌아가야 한다.
""",
}
