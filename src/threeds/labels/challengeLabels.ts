/** The texts of the pages that a shopper sees between the shop and the bank. */
export type Labels = {
  readonly direction: 'ltr' | 'rtl';
  readonly bank: string;
  readonly title: string;
  /** Without a payment. */
  readonly titleWithoutPayment: string;
  readonly merchant: string;
  readonly amount: string;
  readonly card: string;
  readonly codeLead: string;
  readonly sandboxCode: string;
  readonly codeLabel: string;
  readonly submit: string;
  readonly resend: string;
  readonly resent: string;
  readonly wrong: string;
  readonly triesLeft: string;
  readonly cancel: string;
  readonly appTitle: string;
  readonly appLead: string;
  readonly confirm: string;
  readonly deny: string;
  readonly doneYes: string;
  readonly doneNo: string;
  readonly back: string;
  readonly close: string;
  readonly broken: string;
  readonly brokenHelp: string;
  readonly moment: string;
  readonly goOn: string;
  readonly failed: string;
  readonly failedHelp: string;
  readonly retry: string;
  readonly needsScript: string;
};

const en: Labels = {
  direction: 'ltr',
  bank: 'Sandbox bank',
  title: 'Confirm your payment',
  titleWithoutPayment: 'Confirm your card',
  merchant: 'Shop',
  amount: 'Amount',
  card: 'Card',
  codeLead: 'We have sent you a one-time code.',
  sandboxCode: 'This is a test. The code is',
  codeLabel: 'One-time code',
  submit: 'Confirm',
  resend: 'Send a new code',
  resent: 'A new code was sent. The earlier one no longer works.',
  wrong: 'That code is not right.',
  triesLeft: 'Tries left:',
  cancel: 'Cancel the payment',
  appTitle: 'Your banking app',
  appLead: 'A request is waiting in your banking app. Confirm it there; this test shows it below.',
  confirm: 'Confirm',
  deny: 'Refuse',
  doneYes: 'Confirmed. You are being taken back to the shop.',
  doneNo: 'Not confirmed. You are being taken back to the shop.',
  back: 'Back to the shop',
  close: 'That was all. You can close this window.',
  broken: 'This page cannot be shown',
  brokenHelp: 'The request is not valid or has expired. Go back to the shop and try again.',
  moment: 'One moment, please',
  goOn: 'Continue',
  failed: 'The confirmation did not work',
  failedHelp: 'Check your connection and try again, or go back to the shop.',
  retry: 'Try again',
  needsScript: 'This step needs JavaScript. Switch it on and load the page again, or go back to the shop.',
};

const de: Labels = {
  direction: 'ltr',
  bank: 'Testbank',
  title: 'Zahlung bestätigen',
  titleWithoutPayment: 'Karte bestätigen',
  merchant: 'Shop',
  amount: 'Betrag',
  card: 'Karte',
  codeLead: 'Wir haben Ihnen einen Einmalcode geschickt.',
  sandboxCode: 'Dies ist ein Test. Der Code lautet',
  codeLabel: 'Einmalcode',
  submit: 'Bestätigen',
  resend: 'Neuen Code schicken',
  resent: 'Ein neuer Code ist unterwegs. Der vorige gilt nicht mehr.',
  wrong: 'Dieser Code stimmt nicht.',
  triesLeft: 'Verbleibende Versuche:',
  cancel: 'Zahlung abbrechen',
  appTitle: 'Ihre Banking-App',
  appLead: 'In Ihrer Banking-App wartet eine Anfrage. Bestätigen Sie sie dort; in diesem Test steht sie hier unten.',
  confirm: 'Bestätigen',
  deny: 'Ablehnen',
  doneYes: 'Bestätigt. Sie werden zum Shop zurückgeleitet.',
  doneNo: 'Nicht bestätigt. Sie werden zum Shop zurückgeleitet.',
  back: 'Zurück zum Shop',
  close: 'Das war alles. Sie können dieses Fenster schließen.',
  broken: 'Diese Seite kann nicht angezeigt werden',
  brokenHelp: 'Die Anfrage ist ungültig oder abgelaufen. Gehen Sie zurück zum Shop und versuchen Sie es noch einmal.',
  moment: 'Einen Moment bitte',
  goOn: 'Weiter',
  failed: 'Die Bestätigung hat nicht geklappt',
  failedHelp: 'Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal, oder kehren Sie zum Shop zurück.',
  retry: 'Noch einmal versuchen',
  needsScript:
    'Dieser Schritt braucht JavaScript. Schalten Sie es ein und laden Sie die Seite neu, oder kehren Sie zum Shop zurück.',
};

const fr: Labels = {
  direction: 'ltr',
  bank: 'Banque de test',
  title: 'Confirmez votre paiement',
  titleWithoutPayment: 'Confirmez votre carte',
  merchant: 'Boutique',
  amount: 'Montant',
  card: 'Carte',
  codeLead: 'Nous vous avons envoyé un code à usage unique.',
  sandboxCode: 'Ceci est un test. Le code est',
  codeLabel: 'Code à usage unique',
  submit: 'Confirmer',
  resend: 'Envoyer un nouveau code',
  resent: 'Un nouveau code a été envoyé. Le précédent n’est plus valable.',
  wrong: 'Ce code n’est pas le bon.',
  triesLeft: 'Essais restants :',
  cancel: 'Annuler le paiement',
  appTitle: 'Votre application bancaire',
  appLead: 'Une demande vous attend dans votre application bancaire. Confirmez-la ; ce test l’affiche ci-dessous.',
  confirm: 'Confirmer',
  deny: 'Refuser',
  doneYes: 'C’est confirmé. Retour à la boutique en cours.',
  doneNo: 'Non confirmé. Retour à la boutique en cours.',
  back: 'Retour à la boutique',
  close: 'C’est tout. Vous pouvez fermer cette fenêtre.',
  broken: 'Cette page ne peut pas être affichée',
  brokenHelp: 'La demande n’est pas valable ou a expiré. Retournez à la boutique et réessayez.',
  moment: 'Un instant, s’il vous plaît',
  goOn: 'Continuer',
  failed: 'La confirmation n’a pas abouti',
  failedHelp: 'Vérifiez votre connexion et réessayez, ou retournez à la boutique.',
  retry: 'Réessayer',
  needsScript: 'Cette étape nécessite JavaScript. Activez-le et rechargez la page, ou retournez à la boutique.',
};

const es: Labels = {
  direction: 'ltr',
  bank: 'Banco de pruebas',
  title: 'Confirme su pago',
  titleWithoutPayment: 'Confirme su tarjeta',
  merchant: 'Tienda',
  amount: 'Importe',
  card: 'Tarjeta',
  codeLead: 'Le hemos enviado un código de un solo uso.',
  sandboxCode: 'Esto es una prueba. El código es',
  codeLabel: 'Código de un solo uso',
  submit: 'Confirmar',
  resend: 'Enviar otro código',
  resent: 'Se ha enviado un código nuevo. El anterior ya no sirve.',
  wrong: 'El código no es correcto.',
  triesLeft: 'Intentos restantes:',
  cancel: 'Cancelar el pago',
  appTitle: 'La app de su banco',
  appLead: 'Hay una solicitud en la app de su banco. Confírmela allí; en esta prueba aparece aquí abajo.',
  confirm: 'Confirmar',
  deny: 'Rechazar',
  doneYes: 'Confirmado. Le llevamos de vuelta a la tienda.',
  doneNo: 'Sin confirmar. Le llevamos de vuelta a la tienda.',
  back: 'Volver a la tienda',
  close: 'Eso es todo. Puede cerrar esta ventana.',
  broken: 'Esta página no se puede mostrar',
  brokenHelp: 'La solicitud no es válida o ha caducado. Vuelva a la tienda e inténtelo de nuevo.',
  moment: 'Un momento, por favor',
  goOn: 'Continuar',
  failed: 'La confirmación no ha funcionado',
  failedHelp: 'Compruebe su conexión e inténtelo de nuevo, o vuelva a la tienda.',
  retry: 'Intentar de nuevo',
  needsScript: 'Este paso necesita JavaScript. Actívelo y vuelva a cargar la página, o vuelva a la tienda.',
};

const it: Labels = {
  direction: 'ltr',
  bank: 'Banca di prova',
  title: 'Conferma il pagamento',
  titleWithoutPayment: 'Conferma la carta',
  merchant: 'Negozio',
  amount: 'Importo',
  card: 'Carta',
  codeLead: 'Ti abbiamo inviato un codice monouso.',
  sandboxCode: 'Questa è una prova. Il codice è',
  codeLabel: 'Codice monouso',
  submit: 'Conferma',
  resend: 'Invia un nuovo codice',
  resent: 'È stato inviato un nuovo codice. Il precedente non vale più.',
  wrong: 'Il codice non è giusto.',
  triesLeft: 'Tentativi rimasti:',
  cancel: 'Annulla il pagamento',
  appTitle: 'L’app della tua banca',
  appLead: 'C’è una richiesta nell’app della tua banca. Confermala lì; in questa prova è qui sotto.',
  confirm: 'Conferma',
  deny: 'Rifiuta',
  doneYes: 'Confermato. Torni subito al negozio.',
  doneNo: 'Non confermato. Torni subito al negozio.',
  back: 'Torna al negozio',
  close: 'È tutto. Puoi chiudere questa finestra.',
  broken: 'Impossibile mostrare questa pagina',
  brokenHelp: 'La richiesta non è valida o è scaduta. Torna al negozio e riprova.',
  moment: 'Un momento, per favore',
  goOn: 'Continua',
  failed: 'La conferma non è riuscita',
  failedHelp: 'Controlli la connessione e riprovi, oppure torni al negozio.',
  retry: 'Riprova',
  needsScript: 'Questo passaggio richiede JavaScript. Lo attivi e ricarichi la pagina, oppure torni al negozio.',
};

const nl: Labels = {
  direction: 'ltr',
  bank: 'Testbank',
  title: 'Bevestig je betaling',
  titleWithoutPayment: 'Bevestig je kaart',
  merchant: 'Winkel',
  amount: 'Bedrag',
  card: 'Kaart',
  codeLead: 'We hebben je een eenmalige code gestuurd.',
  sandboxCode: 'Dit is een test. De code is',
  codeLabel: 'Eenmalige code',
  submit: 'Bevestigen',
  resend: 'Stuur een nieuwe code',
  resent: 'Er is een nieuwe code gestuurd. De vorige werkt niet meer.',
  wrong: 'Deze code klopt niet.',
  triesLeft: 'Resterende pogingen:',
  cancel: 'Betaling annuleren',
  appTitle: 'Je bank-app',
  appLead: 'In je bank-app staat een verzoek klaar. Bevestig het daar; in deze test staat het hieronder.',
  confirm: 'Bevestigen',
  deny: 'Weigeren',
  doneYes: 'Bevestigd. Je gaat terug naar de winkel.',
  doneNo: 'Niet bevestigd. Je gaat terug naar de winkel.',
  back: 'Terug naar de winkel',
  close: 'Dat was alles. Je kunt dit venster sluiten.',
  broken: 'Deze pagina kan niet worden getoond',
  brokenHelp: 'Het verzoek is ongeldig of verlopen. Ga terug naar de winkel en probeer het opnieuw.',
  moment: 'Een ogenblik',
  goOn: 'Doorgaan',
  failed: 'De bevestiging is niet gelukt',
  failedHelp: 'Controleer uw verbinding en probeer het opnieuw, of ga terug naar de winkel.',
  retry: 'Opnieuw proberen',
  needsScript: 'Voor deze stap is JavaScript nodig. Zet het aan en laad de pagina opnieuw, of ga terug naar de winkel.',
};

const pt: Labels = {
  direction: 'ltr',
  bank: 'Banco de teste',
  title: 'Confirme o pagamento',
  titleWithoutPayment: 'Confirme o cartão',
  merchant: 'Loja',
  amount: 'Valor',
  card: 'Cartão',
  codeLead: 'Enviámos-lhe um código de utilização única.',
  sandboxCode: 'Isto é um teste. O código é',
  codeLabel: 'Código de utilização única',
  submit: 'Confirmar',
  resend: 'Enviar novo código',
  resent: 'Foi enviado um novo código. O anterior deixou de ser válido.',
  wrong: 'O código não está certo.',
  triesLeft: 'Tentativas restantes:',
  cancel: 'Cancelar o pagamento',
  appTitle: 'A app do seu banco',
  appLead: 'Há um pedido na app do seu banco. Confirme-o lá; neste teste está aqui em baixo.',
  confirm: 'Confirmar',
  deny: 'Recusar',
  doneYes: 'Confirmado. Vai voltar à loja.',
  doneNo: 'Não confirmado. Vai voltar à loja.',
  back: 'Voltar à loja',
  close: 'É tudo. Pode fechar esta janela.',
  broken: 'Não é possível mostrar esta página',
  brokenHelp: 'O pedido não é válido ou expirou. Volte à loja e tente de novo.',
  moment: 'Um momento, por favor',
  goOn: 'Continuar',
  failed: 'A confirmação não funcionou',
  failedHelp: 'Verifique a sua ligação e tente novamente, ou volte à loja.',
  retry: 'Tentar novamente',
  needsScript: 'Este passo precisa de JavaScript. Ative-o e carregue a página novamente, ou volte à loja.',
};

const pl: Labels = {
  direction: 'ltr',
  bank: 'Bank testowy',
  title: 'Potwierdź płatność',
  titleWithoutPayment: 'Potwierdź kartę',
  merchant: 'Sklep',
  amount: 'Kwota',
  card: 'Karta',
  codeLead: 'Wysłaliśmy kod jednorazowy.',
  sandboxCode: 'To jest test. Kod to',
  codeLabel: 'Kod jednorazowy',
  submit: 'Potwierdź',
  resend: 'Wyślij nowy kod',
  resent: 'Wysłano nowy kod. Poprzedni już nie działa.',
  wrong: 'Ten kod jest niepoprawny.',
  triesLeft: 'Pozostałe próby:',
  cancel: 'Anuluj płatność',
  appTitle: 'Aplikacja banku',
  appLead: 'W aplikacji banku czeka prośba. Potwierdź ją tam; w tym teście widać ją poniżej.',
  confirm: 'Potwierdź',
  deny: 'Odrzuć',
  doneYes: 'Potwierdzono. Za chwilę wrócisz do sklepu.',
  doneNo: 'Nie potwierdzono. Za chwilę wrócisz do sklepu.',
  back: 'Wróć do sklepu',
  close: 'To wszystko. Możesz zamknąć to okno.',
  broken: 'Nie można pokazać tej strony',
  brokenHelp: 'Prośba jest nieprawidłowa albo wygasła. Wróć do sklepu i spróbuj jeszcze raz.',
  moment: 'Chwileczkę',
  goOn: 'Dalej',
  failed: 'Potwierdzenie nie powiodło się',
  failedHelp: 'Sprawdź połączenie i spróbuj ponownie albo wróć do sklepu.',
  retry: 'Spróbuj ponownie',
  needsScript: 'Ten krok wymaga JavaScriptu. Włącz go i wczytaj stronę ponownie albo wróć do sklepu.',
};

const ar: Labels = {
  direction: 'rtl',
  bank: 'بنك تجريبي',
  title: 'أكّد عملية الدفع',
  titleWithoutPayment: 'أكّد بطاقتك',
  merchant: 'المتجر',
  amount: 'المبلغ',
  card: 'البطاقة',
  codeLead: 'أرسلنا إليك رمزًا يُستخدم مرة واحدة.',
  sandboxCode: 'هذا اختبار. الرمز هو',
  codeLabel: 'رمز لمرة واحدة',
  submit: 'تأكيد',
  resend: 'إرسال رمز جديد',
  resent: 'أُرسل رمز جديد. الرمز السابق لم يعد صالحًا.',
  wrong: 'هذا الرمز غير صحيح.',
  triesLeft: 'المحاولات المتبقية:',
  cancel: 'إلغاء الدفع',
  appTitle: 'تطبيق البنك',
  appLead: 'هناك طلب في تطبيق البنك. أكّده هناك؛ في هذا الاختبار يظهر أدناه.',
  confirm: 'تأكيد',
  deny: 'رفض',
  doneYes: 'تم التأكيد. ستعود الآن إلى المتجر.',
  doneNo: 'لم يتم التأكيد. ستعود الآن إلى المتجر.',
  back: 'العودة إلى المتجر',
  close: 'انتهى كل شيء. يمكنك إغلاق هذه النافذة.',
  broken: 'لا يمكن عرض هذه الصفحة',
  brokenHelp: 'الطلب غير صالح أو انتهت مدته. عُد إلى المتجر وحاول مرة أخرى.',
  moment: 'لحظة من فضلك',
  goOn: 'متابعة',
  failed: 'لم ينجح التأكيد',
  failedHelp: 'تحقّق من الاتصال وحاول مرة أخرى، أو عُد إلى المتجر.',
  retry: 'حاول مرة أخرى',
  needsScript: 'تحتاج هذه الخطوة إلى JavaScript. فعّله وأعد تحميل الصفحة، أو عُد إلى المتجر.',
};

/** By primary language subtag. */
export const challengeLabels = { en, de, fr, es, it, nl, pt, pl, ar } as const satisfies Record<string, Labels>;

export type ChallengeLanguage = keyof typeof challengeLabels;

/** `de-AT` → `de`; English for an unsupported language. */
export function languageOf(tag: string): ChallengeLanguage {
  const [first = ''] = tag.toLowerCase().split(/[-_]/);
  return Object.hasOwn(challengeLabels, first) ? (first as ChallengeLanguage) : 'en';
}

export const labelsFor = (tag: string): Labels => challengeLabels[languageOf(tag)];
