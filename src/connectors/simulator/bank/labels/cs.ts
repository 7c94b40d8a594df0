import type { Labels } from './labels.ts';

export const cs: Labels = {
  simulator: 'Simulátor plateb',
  notice: 'Toto není skutečná banka ani peněženka a žádné peníze se nepřevádějí.',
  amount: 'Částka',
  recipient: 'Příjemce',
  method: 'Způsob platby',
  pay: 'Zaplatit {amount}',
  decline: 'Simulovat zamítnutí',
  cancel: 'Zrušit platbu',
  later: 'Rozhodnout později',
  laterHint: 'Platba zůstává otevřená. Na tuto stránku se můžete vrátit do {time}.',
  back: 'Zpět do obchodu',
  open: { title: 'Potvrďte platbu', text: 'Zvolte, jak má skončit.' },
  paid: { title: 'Zaplaceno', text: 'Platba je dokončena. Můžete se vrátit do obchodu.' },
  refused: { title: 'Nezaplaceno', text: 'Platba byla zamítnuta nebo zrušena. Nic nebylo strženo.' },
  over: {
    title: 'Platba už není otevřená',
    text: 'Čas na zaplacení vypršel, nebo obchod platbu stáhl. Nic nebylo strženo. Vraťte se do obchodu a zkuste to znovu.',
  },
  lost: { title: 'Platba nenalezena', text: 'Tato adresa je neúplná nebo byla změněna. Vraťte se do obchodu a začněte znovu.' },
};
