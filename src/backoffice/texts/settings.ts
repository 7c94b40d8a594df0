import type { SettingGroup, SettingName } from '../../spec/settingRows.ts';
import { texts } from './texts.ts';

/** Names and descriptions of settings. */

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
  'group.methods': 'Zahlungsarten und Routing',
  'group.shopper': 'Käufer und Widget',
  'group.limits': 'Limits und Freigaben',
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
  state: ['Status', 'Only an active entity accepts payments. Entities below a closed one are closed too.'],
  timeZone: ['Time zone', 'Time zone for days in schedules, reports and files.'],
  isLenient: [
    'Lenient validation',
    'Descriptive fields are accepted as existing clients send them. Strict validation rejects what the specification rejects.',
  ],
  cardNumbersInText: [
    'Card numbers in free text',
    'What happens to a card number in a free-text field: mask shortens it, refuse rejects the request.',
  ],
  dispatch: ['Routing to channels', 'Requests for the merchant go to the first channel that accepts them.'],
  priority: ['Routing priority', 'The channel with the lowest number is tried first.'],
  threeDSecure: ['3D Secure', 'Cardholders of enrolled cards are authenticated.'],
  connectors: ['Connectors', 'The connector or account for each payment method; default applies to all others.'],
  'routing.rules': [
    'Routing rules',
    'Which account takes which payment; the first rule that matches. Without one, Connectors decides.',
  ],
  accounts: ['Accounts at acquirers', 'Accounts by name; their credentials are stored under Keys and servers.'],
  brands: ['Brands', 'Accepted brands.'],
  currencies: ['Currencies', 'Accepted currencies.'],
  shopperResultHosts: [
    'Return hosts',
    'Hosts that shoppers may return to after a redirect, for example shop.example or *.shop.example.',
  ],
  widgetOrigins: ['Widget origins', 'Pages that may show the payment widget, for example https://shop.example.'],
  plainCardForms: [
    'Plain card forms',
    'Forms of a checkout may send card number and security code without the fields of the widget. Without a value: in test only.',
  ],
  bankAccount: [
    'Bank account for transfers',
    'The account that shoppers pay to by prepayment. It is part of the answer (merchant.bankAccount).',
  ],
  authorisationDays: [
    'Validity of authorisations',
    'Days until an authorisation ends and its rest is released, by brand, by method or as default.',
  ],
  recordsByApi: ['Records through the API', 'Chargebacks and similar records may be created through the API.'],
  approvals: [
    'Approval above',
    'Amounts that a user may process alone: per action, per payment, and per day (UTC). Above that, a second user must approve. ' +
      'Once one currency has a limit, every action in a currency without one needs approval. Raising or removing a limit needs approval too.',
  ],
  throttle: ['Rate limits', 'Requests allowed per number of seconds, by endpoint name.'],
  'risk.mode': ['Risk checks', 'Report-only: nothing is blocked.'],
  'risk.cardTesting': ['Card testing', 'Many cards tried one after another.'],
  'risk.velocity': ['Velocity', 'Too many payments by one card, shopper or IP address.'],
  'risk.lists': ['Lists', 'Block and allow lists.'],
  'risk.countryMismatch': ['Country mismatch', 'Card, billing address and IP address are from different countries.'],
  'risk.holderMismatch': ['Cardholder mismatch', 'The cardholder is not the customer.'],
  'risk.uniqueTransactionIds': ['Unique transaction IDs', 'A merchantTransactionId may be used only once.'],
  'risk.duplicateSeconds': ['Duplicate window (seconds)', 'The same payment within this time is a duplicate; 0: never.'],
  'risk.unchallenged': ['If 3D Secure is not possible', 'What replaces the verdict 3D Secure.'],
  'risk.thresholds': ['Score thresholds', 'Scores at or below which a payment goes to 3D Secure, to review, or is declined.'],
  'risk.limits': ['Amount limits', 'By currency: the maximum amount, and the maximum per card and day.'],
  'risk.screening': ['External screening', 'An external provider that also evaluates payments.'],
  'risk.rules': ['Rules', 'Custom rules; edit and back-test them on the page Risk rules.'],
  'risk.ruleSets': ['Rule sets', 'Additional rules by risk.channelId.'],
  'threeDS.policy': ['Policy', 'Results after which a payment continues without full authentication.'],
  'threeDS.setup': ['Registration', 'Merchant registration data at the card networks.'],
  'threeDS.withoutBrowserData': [
    'Enrolled cards without browser data',
    'On a lenient channel: a page collects the data (collect), or the payment continues without 3D Secure (continue).',
  ],
  'wallets.walletA': [
    'Wallet A',
    'Wallet configuration; null: not accepted. Keys are referenced by ID and stored under Keys and servers.',
  ],
  'wallets.walletB': [
    'Wallet B',
    'Wallet configuration; null: not accepted. Keys are referenced by ID and stored under Keys and servers.',
  ],
  'wallets.walletC': [
    'Wallet C',
    'Wallet configuration; null: not accepted. Keys are referenced by ID and stored under Keys and servers.',
  ],
  'schedules.triesMax': ['Maximum attempts', 'Attempts per charge, including the first.'],
  'schedules.days': ['Retry period (days)', 'No attempt later than this after the first.'],
  'schedules.waitHoursDefault': ['Hours between attempts', 'After a decline without merchant advice.'],
  'schedules.waitHoursByAdvice': ['Hours by merchant advice', 'By merchant advice code (2 digits).'],
  'settlement.accounts': ['Acquirer account numbers', 'Numbers by which acquirers identify this entity.'],
  'settlement.feePercentMax': ['Maximum fee (%)', 'Of the settled amount, for example 2.50.'],
  'settlement.feeFixedMax': ['Maximum fixed fee', 'In addition to the percentage, for example 0.30.'],
  'settlement.fxPercentMax': ['Exchange rate tolerance (%)', 'How far a converted amount may differ.'],
  'settlement.daysMax': ['Days to settlement', 'From the payment to its settlement.'],
  'settlement.chargebackDaysMax': ['Days to chargeback', 'From the payment to its chargeback.'],
  'settlement.isInParts': ['Partial settlement', 'The acquirer settles one payment in several amounts.'],
  'settlement.pull': [
    'Fetch files from',
    'Acquirer server that settlement files are fetched from. Its credentials are stored under Keys and servers.',
  ],
  reconciliation: [
    'Deliver files to',
    'Server that reconciliation files are delivered to. Its credentials are stored under Keys and servers.',
  ],
  scenarios: ['Scenarios', 'Custom and attached scenarios; edit them on the page Scenarios.'],
};

const de: Named = {
  state: ['Status', 'Nur eine aktive Einheit nimmt Zahlungen an. Einheiten unter einer geschlossenen sind auch geschlossen.'],
  timeZone: ['Zeitzone', 'Zeitzone für Tage in Zeitplänen, Berichten und Dateien.'],
  isLenient: [
    'Nachsichtige Prüfung',
    'Beschreibende Felder werden so angenommen, wie bestehende Clients sie senden. Die strenge Prüfung lehnt ab, was die Spezifikation ablehnt.',
  ],
  cardNumbersInText: [
    'Kartennummern in Texten',
    'Was mit einer Kartennummer in einem Freitextfeld geschieht: mask kürzt sie, refuse weist die Anfrage ab.',
  ],
  dispatch: ['Verteilung auf Kanäle', 'Anfragen an den Händler gehen an den ersten Kanal, der sie annimmt.'],
  priority: ['Priorität', 'Der Kanal mit der kleinsten Zahl wird zuerst versucht.'],
  threeDSecure: ['3D Secure', 'Inhaber teilnehmender Karten werden authentifiziert.'],
  connectors: ['Konnektoren', 'Konnektor oder Konto je Zahlungsart; default gilt für alle anderen.'],
  'routing.rules': [
    'Regeln für Konten',
    'Welches Konto welche Zahlung nimmt; die erste passende Regel. Ohne Regel gilt Konnektoren.',
  ],
  accounts: ['Konten bei Acquirern', 'Konten nach Namen; ihre Zugangsdaten liegen unter Schlüssel und Server.'],
  brands: ['Marken', 'Angenommene Marken.'],
  currencies: ['Währungen', 'Angenommene Währungen.'],
  shopperResultHosts: [
    'Rückkehr-Hosts',
    'Hosts, zu denen Käufer nach einer Weiterleitung zurückkehren dürfen, zum Beispiel shop.example oder *.shop.example.',
  ],
  widgetOrigins: ['Herkunft des Widgets', 'Seiten, die das Zahlungs-Widget zeigen dürfen, zum Beispiel https://shop.example.'],
  plainCardForms: [
    'Karten im Klartext',
    'Formulare einer Kasse dürfen Kartennummer und Prüfziffer ohne die Felder des Widgets senden. Ohne Wert: nur im Test.',
  ],
  bankAccount: [
    'Bankkonto für Überweisungen',
    'Das Konto, auf das Käufer bei Vorkasse zahlen. Es steht in der Antwort (merchant.bankAccount).',
  ],
  authorisationDays: [
    'Gültigkeit von Autorisierungen',
    'Tage, nach denen eine Autorisierung endet und ihr Rest freigegeben wird, nach Marke, nach Zahlart oder als default.',
  ],
  recordsByApi: ['Erfassung per API', 'Rückbelastungen und Ähnliches dürfen per API erfasst werden.'],
  approvals: [
    'Freigabe ab',
    'Beträge, die ein Benutzer allein bearbeiten darf: je Aktion, je Zahlung und je Tag (UTC). Darüber muss ein zweiter ' +
      'Benutzer freigeben. Hat eine Währung ein Limit, braucht in einer Währung ohne Limit alles eine Freigabe. Auch ein Limit zu ' +
      'erhöhen oder zu entfernen braucht eine Freigabe.',
  ],
  throttle: ['Ratenbegrenzung', 'Erlaubte Anfragen je Anzahl Sekunden, nach Endpunkt.'],
  'risk.mode': ['Risikoprüfung', 'Nur Bericht: nichts wird blockiert.'],
  'risk.cardTesting': ['Kartentests', 'Viele Karten werden nacheinander probiert.'],
  'risk.velocity': ['Häufigkeit', 'Zu viele Zahlungen einer Karte, eines Käufers oder einer IP-Adresse.'],
  'risk.lists': ['Listen', 'Sperr- und Freigabelisten.'],
  'risk.countryMismatch': ['Länder passen nicht', 'Karte, Rechnungsadresse und IP-Adresse kommen aus verschiedenen Ländern.'],
  'risk.holderMismatch': ['Inhaber passt nicht', 'Der Karteninhaber ist nicht der Kunde.'],
  'risk.uniqueTransactionIds': ['Eindeutige Vorgangsnummern', 'Eine merchantTransactionId darf nur einmal vorkommen.'],
  'risk.duplicateSeconds': ['Doppelte innerhalb (Sekunden)', 'Dieselbe Zahlung in dieser Zeit gilt als doppelt; 0: nie.'],
  'risk.unchallenged': ['Wenn 3D Secure nicht möglich ist', 'Was das Urteil 3D Secure ersetzt.'],
  'risk.thresholds': [
    'Schwellenwerte',
    'Punktestände, bis zu denen eine Zahlung zu 3D Secure oder zur Prüfung geht oder abgelehnt wird.',
  ],
  'risk.limits': ['Betragslimits', 'Je Währung: der höchste Betrag und der höchste je Karte und Tag.'],
  'risk.screening': ['Externe Prüfung', 'Ein externer Anbieter, der Zahlungen zusätzlich bewertet.'],
  'risk.rules': ['Regeln', 'Eigene Regeln; bearbeiten und testen auf der Seite Risikoregeln.'],
  'risk.ruleSets': ['Regelsätze', 'Weitere Regeln je risk.channelId.'],
  'threeDS.policy': ['Richtlinie', 'Ergebnisse, nach denen eine Zahlung ohne volle Authentifizierung weitergeht.'],
  'threeDS.setup': ['Registrierung', 'Registrierungsdaten des Händlers bei den Kartennetzen.'],
  'threeDS.withoutBrowserData': [
    'Teilnehmende Karten ohne Browserdaten',
    'Auf einem toleranten Kanal: eine Seite erfasst die Daten (collect), oder die Zahlung geht ohne 3D Secure weiter (continue).',
  ],
  'wallets.walletA': [
    'Wallet A',
    'Konfiguration der Wallet; null: nicht angenommen. Schlüssel stehen hier nur mit ihrer ID, gespeichert sind sie unter Schlüssel und Server.',
  ],
  'wallets.walletB': [
    'Wallet B',
    'Konfiguration der Wallet; null: nicht angenommen. Schlüssel stehen hier nur mit ihrer ID, gespeichert sind sie unter Schlüssel und Server.',
  ],
  'wallets.walletC': [
    'Wallet C',
    'Konfiguration der Wallet; null: nicht angenommen. Schlüssel stehen hier nur mit ihrer ID, gespeichert sind sie unter Schlüssel und Server.',
  ],
  'schedules.triesMax': ['Höchstzahl der Versuche', 'Versuche je Abbuchung, der erste mitgezählt.'],
  'schedules.days': ['Frist für Wiederholungen (Tage)', 'Kein Versuch später nach dem ersten.'],
  'schedules.waitHoursDefault': ['Stunden zwischen Versuchen', 'Nach einer Ablehnung ohne Händlerhinweis.'],
  'schedules.waitHoursByAdvice': ['Stunden je Händlerhinweis', 'Nach dem Händlerhinweis (2 Ziffern).'],
  'settlement.accounts': ['Acquirer-Kontonummern', 'Nummern, unter denen Acquirer diese Einheit kennen.'],
  'settlement.feePercentMax': ['Höchste Gebühr (%)', 'Vom abgerechneten Betrag, zum Beispiel 2.50.'],
  'settlement.feeFixedMax': ['Höchste feste Gebühr', 'Zusätzlich zum Prozentsatz, zum Beispiel 0.30.'],
  'settlement.fxPercentMax': ['Umrechnungstoleranz (%)', 'Wie weit ein umgerechneter Betrag abweichen darf.'],
  'settlement.daysMax': ['Tage bis zur Abrechnung', 'Von der Zahlung bis zu ihrer Abrechnung.'],
  'settlement.chargebackDaysMax': ['Tage bis zur Rückbelastung', 'Von der Zahlung bis zur Rückbelastung.'],
  'settlement.isInParts': ['Teilabrechnung', 'Der Acquirer rechnet eine Zahlung in mehreren Beträgen ab.'],
  'settlement.pull': [
    'Dateien abrufen von',
    'Server eines Acquirers, von dem Abrechnungsdateien abgerufen werden. Seine Zugangsdaten stehen unter Schlüssel und Server.',
  ],
  reconciliation: [
    'Dateien zustellen an',
    'Server, an den Abgleichdateien zugestellt werden. Seine Zugangsdaten stehen unter Schlüssel und Server.',
  ],
  scenarios: ['Szenarien', 'Eigene und angehängte Szenarien; bearbeiten auf der Seite Szenarien.'],
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
