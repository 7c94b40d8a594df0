import type { Labels } from './labels.ts';

export const ko: Labels = {
  simulator: '결제 시뮬레이터',
  notice: '실제 은행이나 지갑이 아니며, 돈이 이동하지 않습니다.',
  amount: '금액',
  recipient: '받는 곳',
  method: '결제 수단',
  pay: '{amount} 결제',
  decline: '거절 시뮬레이션',
  cancel: '결제 취소',
  later: '나중에 결정',
  laterHint: '결제는 열린 상태로 남습니다. {time}까지 이 페이지로 돌아올 수 있습니다.',
  back: '상점으로 돌아가기',
  open: { title: '결제 확인', text: '결과를 선택하세요.' },
  paid: { title: '결제 완료', text: '결제가 완료되었습니다. 상점으로 돌아갈 수 있습니다.' },
  refused: { title: '결제되지 않음', text: '결제가 거절되었거나 취소되었습니다. 청구된 금액이 없습니다.' },
  over: {
    title: '더 이상 결제할 수 없음',
    text: '결제 시간이 지났거나 상점이 결제를 철회했습니다. 청구된 금액이 없습니다. 상점으로 돌아가 다시 시도하세요.',
  },
  lost: {
    title: '결제를 찾을 수 없음',
    text: '이 주소는 불완전하거나 변경되었습니다. 상점으로 돌아가 처음부터 다시 시작하세요.',
  },
};
