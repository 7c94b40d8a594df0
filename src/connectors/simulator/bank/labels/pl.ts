import type { Labels } from './labels.ts';

export const pl: Labels = {
  simulator: 'Symulator płatności',
  notice: 'To nie jest prawdziwy bank ani portfel i żadne pieniądze nie są przelewane.',
  amount: 'Kwota',
  recipient: 'Odbiorca',
  method: 'Metoda płatności',
  pay: 'Zapłać {amount}',
  decline: 'Zasymuluj odmowę',
  cancel: 'Anuluj płatność',
  later: 'Zdecyduj później',
  laterHint: 'Płatność pozostaje otwarta. Na tę stronę można wrócić do {time}.',
  back: 'Wróć do sklepu',
  account: 'Konto',
  reference: 'Numer referencyjny',
  payBy: 'Termin płatności',
  havePaid: 'Płatność wykonana',
  payLater: 'Zapłać później',
  agree: 'Zgadzam się',
  disagree: 'Nie zgadzam się',
  instructions: {
    title: 'Jak zapłacić',
    text: 'Przelej lub wpłać kwotę i podaj numer referencyjny, aby płatność została rozpoznana.',
  },
  invoice: {
    title: 'Płatność na fakturę',
    text: 'Sklep najpierw dostarcza towar. Płacisz w ciągu 14 dni od otrzymania faktury.',
  },
  agreed: { title: 'Zgoda udzielona', text: 'Zapłacisz po otrzymaniu faktury. Możesz wrócić do sklepu.' },
  open: { title: 'Potwierdź płatność', text: 'Wybierz, jak ma się zakończyć.' },
  paid: { title: 'Zapłacono', text: 'Płatność została zakończona. Możesz wrócić do sklepu.' },
  refused: { title: 'Nie zapłacono', text: 'Płatność została odrzucona lub anulowana. Nic nie zostało pobrane.' },
  over: {
    title: 'Płatność nie jest już otwarta',
    text: 'Czas na zapłatę minął lub sklep wycofał płatność. Nic nie zostało pobrane. Wróć do sklepu, aby spróbować ponownie.',
  },
  lost: {
    title: 'Nie znaleziono płatności',
    text: 'Ten adres jest niepełny lub został zmieniony. Wróć do sklepu i zacznij od nowa.',
  },
};
