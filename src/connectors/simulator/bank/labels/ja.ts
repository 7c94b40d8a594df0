import type { Labels } from './labels.ts';

export const ja: Labels = {
  simulator: '決済シミュレーター',
  notice: '実在の銀行やウォレットではありません。実際のお金は動きません。',
  amount: '金額',
  recipient: 'お支払い先',
  method: 'お支払い方法',
  pay: '{amount}を支払う',
  decline: '拒否をシミュレートする',
  cancel: '支払いをキャンセルする',
  later: 'あとで決める',
  laterHint: '支払いは保留のままになります。このページには{time}まで戻ることができます。',
  back: 'ショップに戻る',
  account: '口座',
  reference: '参照番号',
  payBy: '支払い期限',
  havePaid: '支払いました',
  payLater: 'あとで支払う',
  agree: '同意する',
  disagree: '同意しない',
  instructions: {
    title: 'お支払いの手順',
    text: '振り込みまたは入金の際に参照番号を記入してください。お支払いの照合に使われます。',
  },
  invoice: { title: '請求書払い', text: '商品が先に届きます。請求書を受け取ってから14日以内にお支払いください。' },
  agreed: { title: '同意済み', text: '請求書が届いたらお支払いください。ショップに戻ることができます。' },
  open: { title: 'お支払いの確認', text: '支払いの結果を選んでください。' },
  paid: { title: '支払い済み', text: '支払いが完了しました。ショップに戻ることができます。' },
  refused: { title: '支払われていません', text: '支払いは拒否またはキャンセルされました。請求は発生していません。' },
  over: {
    title: '受付終了',
    text: '支払い期限が過ぎたか、ショップが支払いを取り下げました。請求は発生していません。ショップに戻って、もう一度お試しください。',
  },
  lost: {
    title: '支払いが見つかりません',
    text: 'このアドレスは不完全か、変更されています。ショップに戻って、最初からやり直してください。',
  },
};
