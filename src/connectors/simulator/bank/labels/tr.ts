import type { Labels } from './labels.ts';

export const tr: Labels = {
  simulator: 'Ödeme simülatörü',
  notice: 'Bu gerçek bir banka veya cüzdan değildir ve para aktarılmaz.',
  amount: 'Tutar',
  recipient: 'Alıcı',
  method: 'Ödeme yöntemi',
  pay: '{amount} öde',
  decline: 'Reddedilmeyi simüle et',
  cancel: 'Ödemeyi iptal et',
  later: 'Sonra karar ver',
  laterHint: 'Ödeme açık kalır. Bu sayfaya şu zamana kadar dönebilirsiniz: {time}.',
  back: 'Mağazaya dön',
  open: { title: 'Ödemeyi onaylayın', text: 'Nasıl sonuçlanacağını seçin.' },
  paid: { title: 'Ödendi', text: 'Ödeme tamamlandı. Mağazaya dönebilirsiniz.' },
  refused: { title: 'Ödenmedi', text: 'Ödeme reddedildi veya iptal edildi. Hiçbir tutar tahsil edilmedi.' },
  over: {
    title: 'Ödeme artık açık değil',
    text: 'Ödeme süresi doldu veya mağaza ödemeyi geri çekti. Hiçbir tutar tahsil edilmedi. Yeniden denemek için mağazaya dönün.',
  },
  lost: { title: 'Ödeme bulunamadı', text: 'Bu adres eksik veya değiştirilmiş. Mağazaya dönüp yeniden başlayın.' },
};
