import type { Labels } from './labels.ts';

export const sk: Labels = {
  simulator: 'Simulátor platieb',
  notice: 'Toto nie je skutočná banka ani peňaženka a žiadne peniaze sa neprevádzajú.',
  amount: 'Suma',
  recipient: 'Príjemca',
  method: 'Spôsob platby',
  pay: 'Zaplatiť {amount}',
  decline: 'Simulovať zamietnutie',
  cancel: 'Zrušiť platbu',
  later: 'Rozhodnúť sa neskôr',
  laterHint: 'Platba zostáva otvorená. Na túto stránku sa môžete vrátiť do {time}.',
  back: 'Späť do obchodu',
  account: 'Účet',
  reference: 'Referenčné číslo',
  payBy: 'Splatné do',
  havePaid: 'Mám zaplatené',
  payLater: 'Zaplatiť neskôr',
  agree: 'Súhlasím',
  disagree: 'Nesúhlasím',
  instructions: {
    title: 'Ako zaplatiť',
    text: 'Preveďte alebo vložte sumu a uveďte referenčné číslo, aby sa platba rozpoznala.',
  },
  invoice: { title: 'Platba na faktúru', text: 'Obchod najprv dodá tovar. Zaplatíte do 14 dní od prijatia faktúry.' },
  agreed: { title: 'Odsúhlasené', text: 'Zaplatíte, keď príde faktúra. Môžete sa vrátiť do obchodu.' },
  open: { title: 'Potvrďte platbu', text: 'Vyberte, ako sa má skončiť.' },
  paid: { title: 'Zaplatené', text: 'Platba je dokončená. Môžete sa vrátiť do obchodu.' },
  refused: { title: 'Nezaplatené', text: 'Platba bola zamietnutá alebo zrušená. Nič nebolo strhnuté.' },
  over: {
    title: 'Platba už nie je otvorená',
    text: 'Čas na zaplatenie uplynul alebo obchod platbu stiahol. Nič nebolo strhnuté. Vráťte sa do obchodu a skúste to znova.',
  },
  lost: {
    title: 'Platba sa nenašla',
    text: 'Táto adresa je neúplná alebo bola zmenená. Vráťte sa do obchodu a začnite odznova.',
  },
};
