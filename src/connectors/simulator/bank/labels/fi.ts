import type { Labels } from './labels.ts';

export const fi: Labels = {
  simulator: 'Maksusimulaattori',
  notice: 'Tämä ei ole oikea pankki eikä lompakko, eikä rahaa siirry.',
  amount: 'Summa',
  recipient: 'Saaja',
  method: 'Maksutapa',
  pay: 'Maksa {amount}',
  decline: 'Simuloi hylkäys',
  cancel: 'Peruuta maksu',
  later: 'Päätä myöhemmin',
  laterHint: 'Maksu jää avoimeksi. Voit palata tälle sivulle viimeistään {time}.',
  back: 'Takaisin kauppaan',
  account: 'Tili',
  reference: 'Viite',
  payBy: 'Maksettava viimeistään',
  havePaid: 'Olen maksanut',
  payLater: 'Maksa myöhemmin',
  agree: 'Hyväksy',
  disagree: 'Älä hyväksy',
  instructions: {
    title: 'Näin maksat',
    text: 'Siirrä summa tilille tai maksa se käteisellä ja ilmoita viite, jotta maksu tunnistetaan.',
  },
  invoice: { title: 'Maksa laskulla', text: 'Kauppa toimittaa ensin. Maksat 14 päivän kuluessa laskun saamisesta.' },
  agreed: { title: 'Hyväksytty', text: 'Maksat, kun lasku saapuu. Voit palata kauppaan.' },
  open: { title: 'Vahvista maksu', text: 'Valitse, miten se päättyy.' },
  paid: { title: 'Maksettu', text: 'Maksu on valmis. Voit palata kauppaan.' },
  refused: { title: 'Ei maksettu', text: 'Maksu hylättiin tai peruutettiin. Mitään ei veloitettu.' },
  over: {
    title: 'Ei enää avoinna',
    text: 'Maksuaika on päättynyt, tai kauppa on perunut maksun. Mitään ei veloitettu. Palaa kauppaan ja yritä uudelleen.',
  },
  lost: {
    title: 'Maksua ei löytynyt',
    text: 'Tämä osoite on puutteellinen tai sitä on muutettu. Palaa kauppaan ja aloita alusta.',
  },
};
