import type { Labels } from './labels.ts';

export const pt: Labels = {
  simulator: 'Simulador de pagamentos',
  notice: 'Este não é um banco nem uma carteira real, e nenhum dinheiro é movimentado.',
  amount: 'Valor',
  recipient: 'Destinatário',
  method: 'Forma de pagamento',
  pay: 'Pagar {amount}',
  decline: 'Simular uma recusa',
  cancel: 'Cancelar o pagamento',
  later: 'Decidir mais tarde',
  laterHint: 'O pagamento continua em aberto. Pode voltar a esta página até {time}.',
  back: 'Voltar à loja',
  account: 'Conta',
  reference: 'Referência',
  payBy: 'Pagar até',
  havePaid: 'Já paguei',
  payLater: 'Pagar mais tarde',
  agree: 'Aceitar',
  disagree: 'Não aceitar',
  instructions: {
    title: 'Como pagar',
    text: 'Transfira ou deposite o valor e indique a referência, para que o pagamento seja reconhecido.',
  },
  invoice: { title: 'Pagar por fatura', text: 'A loja entrega primeiro. Paga no prazo de 14 dias após receber a fatura.' },
  agreed: { title: 'Aceite', text: 'Paga quando receber a fatura. Pode voltar à loja.' },
  open: { title: 'Confirmar o pagamento', text: 'Escolha como ele termina.' },
  paid: { title: 'Pago', text: 'O pagamento foi concluído. Pode voltar à loja.' },
  refused: { title: 'Não pago', text: 'O pagamento foi recusado ou cancelado. Nada foi cobrado.' },
  over: {
    title: 'Já não está em aberto',
    text: 'O prazo para pagar terminou ou a loja retirou o pagamento. Nada foi cobrado. Volte à loja para tentar de novo.',
  },
  lost: {
    title: 'Pagamento não encontrado',
    text: 'Este endereço está incompleto ou foi alterado. Volte à loja e comece de novo.',
  },
};
