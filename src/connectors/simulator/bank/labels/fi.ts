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
