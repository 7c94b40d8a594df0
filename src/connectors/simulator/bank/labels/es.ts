import type { Labels } from './labels.ts';

export const es: Labels = {
  simulator: 'Simulador de pagos',
  notice: 'Esto no es un banco ni un monedero real, y no se mueve dinero.',
  amount: 'Importe',
  recipient: 'Destinatario',
  method: 'Método de pago',
  pay: 'Pagar {amount}',
  decline: 'Simular un rechazo',
  cancel: 'Cancelar el pago',
  later: 'Decidir más tarde',
  laterHint: 'El pago queda abierto. Puede volver a esta página hasta el {time}.',
  back: 'Volver a la tienda',
  account: 'Cuenta',
  reference: 'Referencia',
  payBy: 'Pagar hasta el',
  havePaid: 'He pagado',
  payLater: 'Pagar más tarde',
  agree: 'Aceptar',
  disagree: 'No aceptar',
  instructions: {
    title: 'Cómo pagar',
    text: 'Transfiera o ingrese el importe e indique la referencia para que se pueda identificar el pago.',
  },
  invoice: {
    title: 'Pagar con factura',
    text: 'La tienda entrega primero. Usted paga en un plazo de 14 días desde que recibe la factura.',
  },
  agreed: { title: 'Aceptado', text: 'Pagará cuando reciba la factura. Puede volver a la tienda.' },
  open: { title: 'Confirmar el pago', text: 'Elija cómo termina.' },
  paid: { title: 'Pagado', text: 'El pago se ha completado. Puede volver a la tienda.' },
  refused: { title: 'No pagado', text: 'El pago se rechazó o se canceló. No se ha cobrado nada.' },
  over: {
    title: 'El pago ya no está abierto',
    text:
      'El plazo para pagar ha terminado o la tienda ha retirado el pago. ' +
      'No se ha cobrado nada. Vuelva a la tienda para intentarlo de nuevo.',
  },
  lost: {
    title: 'Pago no encontrado',
    text: 'Esta dirección está incompleta o se ha modificado. Vuelva a la tienda y empiece de nuevo.',
  },
};
