import type { Labels } from './labels.ts';

export const hu: Labels = {
  simulator: 'Fizetésszimulátor',
  notice: 'Ez nem valódi bank vagy pénztárca, és nem mozog pénz.',
  amount: 'Összeg',
  recipient: 'Kedvezményezett',
  method: 'Fizetési mód',
  pay: '{amount} fizetése',
  decline: 'Elutasítás szimulálása',
  cancel: 'Fizetés megszakítása',
  later: 'Döntés később',
  laterHint: 'A fizetés nyitva marad. Erre az oldalra eddig térhet vissza: {time}.',
  back: 'Vissza az üzletbe',
  account: 'Bankszámla',
  reference: 'Közlemény',
  payBy: 'Fizetési határidő',
  havePaid: 'Kifizettem',
  payLater: 'Fizetés később',
  agree: 'Elfogadom',
  disagree: 'Nem fogadom el',
  instructions: {
    title: 'Így fizethet',
    text: 'Utalja át vagy fizesse be az összeget, és adja meg a közleményt, hogy a fizetés azonosítható legyen.',
  },
  invoice: {
    title: 'Fizetés számlára',
    text: 'Az üzlet előbb szállít. Ön a számla kézhezvételétől számított 14 napon belül fizet.',
  },
  agreed: { title: 'Elfogadva', text: 'Akkor fizet, amikor megérkezik a számla. Visszatérhet az üzletbe.' },
  open: { title: 'Erősítse meg a fizetést', text: 'Válassza ki, hogyan végződjön.' },
  paid: { title: 'Kifizetve', text: 'A fizetés megtörtént. Visszatérhet az üzletbe.' },
  refused: { title: 'Nincs kifizetve', text: 'A fizetést elutasították vagy megszakították. Nem történt terhelés.' },
  over: {
    title: 'A fizetés már nem nyitott',
    text:
      'A fizetési idő lejárt, vagy az üzlet visszavonta a fizetést. ' +
      'Nem történt terhelés. Térjen vissza az üzletbe, és próbálja újra.',
  },
  lost: {
    title: 'A fizetés nem található',
    text: 'Ez a cím hiányos vagy megváltozott. Térjen vissza az üzletbe, és kezdje újra.',
  },
};
