import type { SettingGroup, SettingName } from '../../spec/settingRows.ts';
import { texts } from './texts.ts';

/** What each setting is called, and what it does. */

const groupsEn = {
  'group.general': 'General',
  'group.methods': 'Payment methods and routing',
  'group.shopper': 'Shopper and widget',
  'group.limits': 'Limits and approvals',
  'group.risk': 'Risk',
  'group.threeDS': '3D Secure',
  'group.wallets': 'Device wallets',
  'group.schedules': 'Schedules',
  'group.settlement': 'Settlement',
  'group.reconciliation': 'Reconciliation files',
  'group.scenarios': 'Scenarios',
} as const satisfies Readonly<Record<`group.${SettingGroup}`, string>>;

const groupsDe: Readonly<Record<keyof typeof groupsEn, string>> = {
  'group.general': 'Allgemein',
  'group.methods': 'Zahlarten und Routing',
  'group.shopper': 'Käufer und Widget',
  'group.limits': 'Grenzen und Freigaben',
  'group.risk': 'Risiko',
  'group.threeDS': '3D Secure',
  'group.wallets': 'Geräte-Wallets',
  'group.schedules': 'Zeitpläne',
  'group.settlement': 'Abrechnung',
  'group.reconciliation': 'Abgleichdateien',
  'group.scenarios': 'Szenarien',
};

type Named = Readonly<Record<SettingName, readonly [name: string, says: string]>>;

const en: Named = {
  state: ['State', 'Only an active node takes payments. What stands below a closed one is closed too.'],
  timeZone: ['Time zone', 'By which days are counted in schedules, reports and files.'],
  isLenient: [
    'Lenient',
    'Descriptive fields are taken as existing clients send them; strict refuses what the specification refuses.',
  ],
  cardNumbersInText: [
    'Card numbers in text',
    'What happens to a card number in a free-text field: mask shortens it, refuse rejects the request.',
  ],
  dispatch: ['Dispatching', 'Requests that name the merchant are given to the first channel that takes them.'],
  priority: ['Priority', 'Dispatching tries the channel with the lowest number first.'],
  threeDSecure: ['3D Secure', 'Holders of enrolled cards are asked to authenticate.'],
  connectors: ['Connectors', 'Which connector takes which method; default stands for all others.'],
  brands: ['Brands', 'Which brands are taken.'],
  currencies: ['Currencies', 'Which currencies are taken.'],
  shopperResultHosts: [
    'Result hosts',
    'Where shoppers may be sent after paying elsewhere, such as shop.example or *.shop.example.',
  ],
  widgetOrigins: ['Widget origins', 'Which pages may show the payment widget, such as https://shop.example.'],
  recordsByApi: ['Records by API', 'Whether chargebacks and the like may be recorded by the API.'],
  approvals: [
    'Approval above',
    'How much a user may move alone: at once, in all on one payment, and in all on one day (UTC). Beyond that a second person approves. ' +
      'While one currency has a limit, everything in a currency without one needs approval. Raising or removing a limit needs approval too.',
  ],
  throttle: ['Request limits', 'How many requests in how many seconds, by the name of an endpoint.'],
  'risk.mode': ['Risk checks', 'Report: rules are tried and told, and stop nothing.'],
  'risk.cardTesting': ['Card testing', 'Many cards tried one after the other.'],
  'risk.velocity': ['Velocity', 'Too many payments by one card, shopper or address.'],
  'risk.lists': ['Lists', 'Block and allow lists.'],
  'risk.countryMismatch': ['Country mismatch', 'Card, address and network come from different countries.'],
  'risk.holderMismatch': ['Holder mismatch', 'The holder of the card is not the shopper.'],
  'risk.uniqueTransactionIds': ['Unique transaction ids', 'A merchantTransactionId may be used once.'],
  'risk.duplicateSeconds': ['Duplicates within', 'Seconds in which the same payment again is a duplicate; 0: never.'],
  'risk.unchallenged': ['Where nobody can be asked', 'What a challenge becomes without 3D Secure.'],
  'risk.thresholds': ['Thresholds', 'From which score on a payment is challenged, reviewed or declined.'],
  'risk.limits': ['Amount limits', 'By currency: the highest amount, and the highest of a card in a day.'],
  'risk.screening': ['Screening', 'A provider outside who is asked too.'],
  'risk.rules': ['Rules', 'Own rules; the page Risk edits and tries them.'],
  'risk.ruleSets': ['Rule sets', 'Further rules by risk.channelId.'],
  'threeDS.policy': ['Policy', 'After which outcomes a payment goes on without a full authentication.'],
  'threeDS.setup': ['Registration', 'What the merchant is registered with at the networks.'],
  'wallets.walletA': ['Wallet A', 'Set-up of the wallet; null: not taken. Keys are named by id and kept under Keys and servers.'],
  'wallets.walletB': ['Wallet B', 'Set-up of the wallet; null: not taken. Keys are named by id and kept under Keys and servers.'],
  'wallets.walletC': ['Wallet C', 'Set-up of the wallet; null: not taken. Keys are named by id and kept under Keys and servers.'],
  'schedules.triesMax': ['Tries', 'How often a charge is tried, the first time included.'],
  'schedules.days': ['Days', 'No try later than so many days after the first.'],
  'schedules.waitHoursDefault': ['Hours between tries', 'After a decline that came without advice.'],
  'schedules.waitHoursByAdvice': ['Hours by advice', 'By the two digits of the merchant advice code.'],
  'settlement.accounts': ['Acquirer numbers', 'The numbers by which acquirers know this node.'],
  'settlement.feePercentMax': ['Highest fee in percent', 'Of what a line settles, such as 2.50.'],
  'settlement.feeFixedMax': ['Highest fixed fee', 'Beside the percentage, such as 0.30.'],
  'settlement.fxPercentMax': ['Exchange tolerance', 'How far an exchanged amount may be off, in percent.'],
  'settlement.daysMax': ['Days to settlement', 'From a payment to the line that settles it.'],
  'settlement.chargebackDaysMax': ['Days to chargeback', 'From a payment to its chargeback.'],
  'settlement.isInParts': ['Settled in parts', 'The acquirer settles one payment in several amounts.'],
  'settlement.pull': [
    'Fetch files from',
    'The server of an acquirer that files are fetched from. Its password is kept under Keys and servers.',
  ],
  reconciliation: [
    'Deliver files to',
    'The server that reconciliation files are delivered to. Its password is kept under Keys and servers.',
  ],
  scenarios: ['Scenarios', 'Own scenarios and what plays by itself; the page Developer edits them.'],
};

const de: Named = {
  state: ['Status', 'Nur ein aktiver Knoten nimmt Zahlungen an. Was unter einem geschlossenen steht, ist auch geschlossen.'],
  timeZone: ['Zeitzone', 'Nach ihr zählen die Tage in Zeitplänen, Berichten und Dateien.'],
  isLenient: [
    'Nachsichtig',
    'Beschreibende Felder gelten so, wie bestehende Clients sie senden; streng lehnt ab, was die Spezifikation ablehnt.',
  ],
  cardNumbersInText: [
    'Kartennummern in Texten',
    'Was mit einer Kartennummer in einem Freitextfeld geschieht: mask kürzt sie, refuse weist die Anfrage ab.',
  ],
  dispatch: ['Verteilung', 'Anfragen an den Händler gehen an den ersten Kanal, der sie annimmt.'],
  priority: ['Rang', 'Die Verteilung beginnt beim Kanal mit der kleinsten Zahl.'],
  threeDSecure: ['3D Secure', 'Inhaber teilnehmender Karten werden um Authentifizierung gebeten.'],
  connectors: ['Konnektoren', 'Welcher Konnektor welche Zahlart annimmt; default steht für alle anderen.'],
  brands: ['Marken', 'Welche Marken angenommen werden.'],
  currencies: ['Währungen', 'Welche Währungen angenommen werden.'],
  shopperResultHosts: [
    'Ziel-Hosts',
    'Wohin Käufer nach einer Zahlung anderswo geleitet werden dürfen, etwa shop.example oder *.shop.example.',
  ],
  widgetOrigins: ['Widget-Herkunft', 'Welche Seiten das Zahlungs-Widget zeigen dürfen, etwa https://shop.example.'],
  recordsByApi: ['Einträge per API', 'Ob Rückbelastungen und Ähnliches per API eingetragen werden dürfen.'],
  approvals: [
    'Freigabe ab',
    'Wie viel eine Person allein bewegen darf: auf einmal, insgesamt an einer Zahlung und insgesamt an einem Tag (UTC). Darüber gibt eine ' +
      'zweite Person frei. Hat eine Währung eine Grenze, braucht in einer Währung ohne Grenze alles eine Freigabe. Auch eine Grenze zu ' +
      'erhöhen oder zu entfernen braucht eine Freigabe.',
  ],
  throttle: ['Anfragegrenzen', 'Wie viele Anfragen in wie vielen Sekunden, je Endpunkt.'],
  'risk.mode': ['Risikoprüfung', 'Melden: Regeln werden geprüft und gemeldet, halten aber nichts auf.'],
  'risk.cardTesting': ['Kartentests', 'Viele Karten werden nacheinander probiert.'],
  'risk.velocity': ['Häufigkeit', 'Zu viele Zahlungen einer Karte, eines Käufers oder einer Adresse.'],
  'risk.lists': ['Listen', 'Sperr- und Freigabelisten.'],
  'risk.countryMismatch': ['Länder passen nicht', 'Karte, Adresse und Netz kommen aus verschiedenen Ländern.'],
  'risk.holderMismatch': ['Inhaber passt nicht', 'Der Karteninhaber ist nicht der Käufer.'],
  'risk.uniqueTransactionIds': ['Eindeutige Vorgangsnummern', 'Eine merchantTransactionId darf nur einmal vorkommen.'],
  'risk.duplicateSeconds': ['Doppelte innerhalb', 'Sekunden, in denen dieselbe Zahlung als doppelt gilt; 0: nie.'],
  'risk.unchallenged': ['Wenn niemand gefragt werden kann', 'Was aus einer Rückfrage ohne 3D Secure wird.'],
  'risk.thresholds': ['Schwellen', 'Ab welcher Punktzahl nachgefragt, geprüft oder abgelehnt wird.'],
  'risk.limits': ['Betragsgrenzen', 'Je Währung: der höchste Betrag und der höchste einer Karte am Tag.'],
  'risk.screening': ['Fremdprüfung', 'Ein externer Anbieter, der zusätzlich gefragt wird.'],
  'risk.rules': ['Regeln', 'Eigene Regeln; die Seite Risiko bearbeitet und erprobt sie.'],
  'risk.ruleSets': ['Regelsätze', 'Weitere Regeln je risk.channelId.'],
  'threeDS.policy': ['Vorgehen', 'Nach welchen Ergebnissen eine Zahlung ohne volle Authentifizierung weitergeht.'],
  'threeDS.setup': ['Registrierung', 'Womit der Händler bei den Netzen registriert ist.'],
  'wallets.walletA': [
    'Wallet A',
    'Einrichtung der Wallet; null: nicht angenommen. Schlüssel stehen hier nur mit ihrer Kennung, verwahrt sind sie unter Schlüssel und Server.',
  ],
  'wallets.walletB': [
    'Wallet B',
    'Einrichtung der Wallet; null: nicht angenommen. Schlüssel stehen hier nur mit ihrer Kennung, verwahrt sind sie unter Schlüssel und Server.',
  ],
  'wallets.walletC': [
    'Wallet C',
    'Einrichtung der Wallet; null: nicht angenommen. Schlüssel stehen hier nur mit ihrer Kennung, verwahrt sind sie unter Schlüssel und Server.',
  ],
  'schedules.triesMax': ['Versuche', 'Wie oft abgebucht wird, der erste Versuch mitgezählt.'],
  'schedules.days': ['Tage', 'Kein Versuch später als so viele Tage nach dem ersten.'],
  'schedules.waitHoursDefault': ['Stunden zwischen Versuchen', 'Nach einer Ablehnung ohne Hinweis.'],
  'schedules.waitHoursByAdvice': ['Stunden je Hinweis', 'Nach den zwei Ziffern des Händlerhinweises.'],
  'settlement.accounts': ['Acquirer-Nummern', 'Die Nummern, unter denen Acquirer diesen Knoten kennen.'],
  'settlement.feePercentMax': ['Höchste Gebühr in Prozent', 'Vom abgerechneten Betrag, etwa 2.50.'],
  'settlement.feeFixedMax': ['Höchste feste Gebühr', 'Zusätzlich zum Anteil, etwa 0.30.'],
  'settlement.fxPercentMax': ['Umrechnungstoleranz', 'Wie weit ein umgerechneter Betrag abweichen darf, in Prozent.'],
  'settlement.daysMax': ['Tage bis zur Abrechnung', 'Von der Zahlung bis zur Zeile, die sie abrechnet.'],
  'settlement.chargebackDaysMax': ['Tage bis zur Rückbelastung', 'Von der Zahlung bis zur Rückbelastung.'],
  'settlement.isInParts': ['In Teilen abgerechnet', 'Der Acquirer rechnet eine Zahlung in mehreren Beträgen ab.'],
  'settlement.pull': [
    'Dateien holen von',
    'Der Server eines Acquirers, von dem Dateien geholt werden. Sein Kennwort ist unter Schlüssel und Server verwahrt.',
  ],
  reconciliation: [
    'Dateien liefern an',
    'Der Server, an den Abgleichdateien gehen. Sein Kennwort ist unter Schlüssel und Server verwahrt.',
  ],
  scenarios: ['Szenarien', 'Eigene Szenarien und was von selbst abläuft; die Seite Entwicklung bearbeitet sie.'],
};

type Keys = { readonly [Name in SettingName as `setting.${Name}` | `says.${Name}`]: string };

const spread = (named: Named): Keys =>
  Object.fromEntries(
    Object.entries(named).flatMap(([name, [label, says]]) => [
      [`setting.${name}`, label],
      [`says.${name}`, says],
    ]),
  ) as Keys;

export const settingTexts = texts({ en: { ...groupsEn, ...spread(en) }, de: { ...groupsDe, ...spread(de) } });
