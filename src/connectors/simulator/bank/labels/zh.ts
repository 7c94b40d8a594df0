import type { Labels } from './labels.ts';

export const zh: Labels = {
  simulator: '支付模拟器',
  notice: '这不是真实的银行或钱包，不会有任何资金往来。',
  amount: '金额',
  recipient: '收款方',
  method: '付款方式',
  pay: '支付 {amount}',
  decline: '模拟拒付',
  cancel: '取消付款',
  later: '稍后决定',
  laterHint: '付款将保持待处理状态。您可以在 {time} 之前回到本页面。',
  back: '返回商店',
  open: { title: '确认付款', text: '请选择付款的结果。' },
  paid: { title: '已付款', text: '付款已完成。您可以返回商店。' },
  refused: { title: '未付款', text: '付款被拒绝或已取消。未产生任何扣款。' },
  over: { title: '付款已关闭', text: '付款时间已过，或者商店已撤回付款。未产生任何扣款。请返回商店重试。' },
  lost: { title: '找不到付款', text: '此地址不完整或已被更改。请返回商店重新开始。' },
};
