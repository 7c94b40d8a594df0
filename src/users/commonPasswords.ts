/**
 * Long passwords that attackers try first, in small letters and without signs, digits read as letters and as they are. The list is
 * ours, made of phrases and patterns that users often choose; an operator may name a larger one.
 */
const phrases = [
  'correcthorsebatterystaple',
  'iloveyouiloveyou iloveyouforever iloveyousomuch iloveyoubaby iloveyoumore iloveyoumom iloveyoudaddy iloveyouverymuch',
  'ilovemyfamily ilovemymother ilovemychildren ilovemyhusband ilovemywife ilovemydaughter ilovemyson ilovemygirlfriend',
  'letmeinletmein letmeinplease letmeinnow pleaseletmein openthedoor opensesame opensesamenow',
  'passwordpassword passwordispassword mypasswordis mypasswordispassword thisismypassword thisisapassword thisisthepassword',
  'passwordforthissite passwordistaco notmypassword changethispassword changemepassword changemenow changemeplease',
  'defaultpassword adminpassword administrator administratoradministrator adminadminadmin rootrootrootroot superuserpassword',
  'supersecretpassword verysecretpassword topsecretpassword secretsecretsecret mysecretpassword secretpassword verysecurepassword',
  'securepassword strongpassword averystrongpassword longpassword averylongpassword reallylongpassword verylongpassword',
  'thisisaverylongpassword thisisalongpassword fifteencharacters fifteenletters onetwothreefourfive onetwothreefour',
  'onetwothreefourfivesix abcdefghijklmno abcdefghijklmnop qwertyuiopasdfgh qwertyuiopasdfghjkl qwertyqwertyqwerty',
  'qazwsxedcrfvtgb onlygodcanjudgeme inthegodwetrust ingodwetrust jesuschristislord jesusismysavior jesuslovesme godisgood',
  'godisgoodallthetime thelordismyshepherd maytheforcebewithyou theforceiswithme iamyourfather lukeiamyourfather darthvader',
  'winteriscoming youknownothing valarmorghulis tobeornottobe tobeornottobethatisthequestion hakunamatata dontworrybehappy',
  'onceuponatime happilyeverafter theendisnear helloworldhelloworld helloworld whatsmypassword idontknow idontremember',
  'iforgotmypassword forgottenpassword iforgetmypassword nevergonnagiveyouup nevergonnaletyoudown allyourbasearebelongtous',
  'thequickbrownfox thequickbrownfoxjumps thequickbrownfoxjumpsoverthelazydog loremipsumdolor loremipsumdolorsitamet',
  'manchesterunited liverpoolfootballclub bayernmuenchen bayernmunchen realmadrid borussiadortmund barcelonabarcelona',
  'youwillneverwalkalone dallascowboys newyorkyankees losangeleslakers pittsburghsteelers greenbaypackers goldenstatewarriors',
  'spongebobsquarepants mickeymouse minniemouse harrypotter harrypotterharrypotter lordoftherings starwarsstarwars',
  'supermansuperman batmanbatmanbatman spidermanspiderman captainamerica ironmanironman pokemonpokemon dragonballz',
  'ichliebedich ichliebedichsosehr ichliebedichueberalles meinpasswort meinpasswortist dasistmeinpasswort passwortpasswort',
  'passwortvergessen sicherespasswort geheimespasswort ganzgeheimespasswort geheimgeheimgeheim hallohallohallo',
  'hallowelthallowelt lassmichrein lassmichbitterein gutenmorgen gutenmorgengutenmorgen schatzschatzschatz donaudampfschifffahrt',
  'donaudampfschifffahrtsgesellschaft franzjagtimkomplettverwahrlostentaxi sommersommersommer fussballfussball',
  'fcbayernmuenchen hamburghamburg berlinberlinberlin deutschlanddeutschland oesterreichoesterreich',
  'jetaimejetaime jetaimepourtoujours motdepasse motdepassemotdepasse monmotdepasse tequieromucho teamoteamoteamo',
  'contrasenacontrasena micontrasena tiamotiamotiamo passwordpasswordpassword welcomewelcome welcomehome welcometothejungle',
  'welcomewelcomewelcome sunshinesunshine princessprincess monkeymonkeymonkey dragondragondragon footballfootball baseballbaseball',
  'mastermastermaster shadowshadowshadow trustnoonetrustnoone trustnoone computercomputer internetinternet',
  'samsungsamsung googlegooglegoogle microsoftmicrosoft windowswindows summersummersummer winterwinterwinter springspringspring',
  'mondaymondaymonday januaryfebruary januaryfebruarymarch mondaytuesdaywednesday sundaymondaytuesday',
  'creditcardnumber paymentgateway turnpiketurnpike turnpikepassword paymentspayments merchantmerchant visamastercard',
];

const lookalikes: readonly (readonly [digit: string, letter: string])[] = [
  ['0', 'o'],
  ['1', 'i'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['7', 't'],
  ['8', 'b'],
];

/** Digits, and digits with letters, that are on every list. */
const patterns = [
  '123456789012345 1234567890123456 12345678901234567890 012345678901234 987654321098765 098765432109876 111111111111111',
  '000000000000000 123123123123123 112233445566778 147258369147258 159753159753159 789456123789456 1q2w3e4r5t6y7u8 1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv 1qazxsw23edcvfr4 zaq12wsxcde34rfv qwerty123456789 qwertyuiop12345 qwertz123456789 abc123abc123abc 123qweasdzxc123',
  'q1w2e3r4t5y6u7i8 asdfghjkl123456 a1b2c3d4e5f6g7h8 password12345678 password123456789 passwort123456789 admin1234567890 welcome12345678',
];

const words = (lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

const read = (text: string): string => lookalikes.reduce((plain, [digit, letter]) => plain.replaceAll(digit, letter), text);

/** Each as it is written, and as it is read. */
export const commonPasswords: ReadonlySet<string> = new Set(
  [...words(phrases), ...words(patterns)].flatMap((text) => [text, read(text)]),
);
