import type { Labels } from './labels.ts';

export const fr: Labels = {
  simulator: 'Simulateur de paiement',
  notice: 'Ceci n’est pas une vraie banque ni un vrai portefeuille, et aucun argent ne circule.',
  amount: 'Montant',
  recipient: 'Bénéficiaire',
  method: 'Moyen de paiement',
  pay: 'Payer {amount}',
  decline: 'Simuler un refus',
  cancel: 'Annuler le paiement',
  later: 'Décider plus tard',
  laterHint: 'Le paiement reste ouvert. Vous pouvez revenir sur cette page jusqu’au {time}.',
  back: 'Retour à la boutique',
  account: 'Compte',
  reference: 'Référence',
  payBy: 'À payer jusqu’au',
  havePaid: 'J’ai payé',
  payLater: 'Payer plus tard',
  agree: 'Accepter',
  disagree: 'Ne pas accepter',
  instructions: {
    title: 'Comment payer',
    text: 'Virez ou déposez le montant en indiquant la référence, afin que le paiement soit reconnu.',
  },
  invoice: {
    title: 'Payer sur facture',
    text: 'La boutique livre d’abord. Vous payez dans les 14 jours suivant la réception de la facture.',
  },
  agreed: { title: 'Accepté', text: 'Vous payez à la réception de la facture. Vous pouvez retourner à la boutique.' },
  open: { title: 'Confirmer le paiement', text: 'Choisissez son issue.' },
  paid: { title: 'Payé', text: 'Le paiement est terminé. Vous pouvez retourner à la boutique.' },
  refused: { title: 'Non payé', text: 'Le paiement a été refusé ou annulé. Rien n’a été débité.' },
  over: {
    title: 'Paiement clos',
    text:
      'Le délai de paiement est écoulé, ou la boutique a retiré le paiement. ' +
      'Rien n’a été débité. Retournez à la boutique pour réessayer.',
  },
  lost: {
    title: 'Paiement introuvable',
    text: 'Cette adresse est incomplète ou a été modifiée. Retournez à la boutique et recommencez.',
  },
};
