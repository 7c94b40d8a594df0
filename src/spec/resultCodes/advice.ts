/** The merchant's next step after an outcome, before the same purchase is tried again. */
export type Advice =
  | 'none'
  | 'wait'
  | 'retry later'
  | 'fix data'
  | 'ask shopper'
  | 'other instrument'
  | 'do not retry'
  | 'contact support';

/** The advice as a sentence. */
export const adviceTexts: Readonly<Record<Advice, string>> = {
  none: '',
  wait: 'Wait for the final result.',
  'retry later': 'Try again later.',
  'fix data': 'Correct the request.',
  'ask shopper': 'Let the shopper try again.',
  'other instrument': 'Ask for another card or method.',
  'do not retry': 'Do not try again.',
  'contact support': 'The set-up must be changed: ask support.',
};

/** Beginnings of codes, blanks between them. The longest that fits a code decides, so an exception is a longer beginning. */
const beginnings: readonly (readonly [advice: Advice, codes: string])[] = [
  ['none', '000. 000.100.211 000.100.212 000.200.100 000.200.101 000.200.102'],
  ['wait', '000.200 100.400.500 800.400.5 700.400.570 800.600 900.100.300'],

  // Chargebacks: most of them say that the payer does not want this payment.
  ['do not retry', '000.100.2'],
  ['fix data', '000.100.201 000.100.209 000.100.210 000.100.229'],
  ['retry later', '000.100.203 000.100.228'],
  ['contact support', '000.100.226 000.100.227 000.100.299'],

  // 3D Secure.
  ['other instrument', '000.400.101 000.400.102 000.400.108 000.400.109 100.390.107 100.390.109 100.390.110 100.390.118'],
  ['retry later', '000.400.103 000.400.107 100.390.105 100.390.111 100.390.112'],
  ['ask shopper', '000.400.105 000.400.106 100.390 100.380.401 300. 800.400.2 700.601.001'],
  ['contact support', '000.400.104 100.390.106 100.390.108 100.390.116'],
  ['fix data', '100.390.101 100.390.115 100.390.117'],

  // Our own checks find mistakes in the request, with few exceptions.
  ['fix data', '100. 200. 700. 800.130 800.7 800.8 800.9'],
  ['other instrument', '100.100.303 100.100.701 100.370.100 100.380.100 100.550.310 100.550.311 700.500.003 700.601.003'],
  ['ask shopper', '100.150.2 100.350.1 100.350.400 200.100.603'],
  ['retry later', '100.350.314 100.350.315 100.380.501 600.100 700.600 800.700.100 800.800.4 800.800.8'],
  ['do not retry', '200.200.106 700.300 700.400.1 700.400.2 700.400.3 700.400.4 700.500'],

  // The setup has to be changed.
  ['contact support', '100.350.310 100.350.311 100.350.312 100.350.500 100.360.400 100.370.111 500. 600. 700.400.000'],
  ['contact support', '800.121 800.160 800.900.100 800.900.3 999.'],
  ['fix data', '600.200.1 600.200.3 600.200.6 600.200.701 600.200.8 800.900.300'],

  // The shopper's side of asynchronous methods.
  ['ask shopper', '100.395.5 100.396 100.397.101 900.300'],
  ['other instrument', '100.395 100.397.102'],
  ['do not retry', '100.396.201'],

  // External risk.
  ['other instrument', '100.400'],
  ['ask shopper', '100.400.000 100.400.001 100.400.086 100.400.087 100.400.301 100.400.302 100.400.303 100.400.309 100.400.310'],
  ['fix data', '100.400.005 100.400.041 100.400.043 100.400.063 100.400.064 100.400.083 100.400.122 100.400.123 100.400.144'],
  ['fix data', '100.400.146 100.400.149 100.400.151 100.400.243 100.400.304 100.400.305 100.400.306 100.400.311 100.400.313'],
  ['fix data', '100.400.314 100.400.315 100.400.316 100.400.317 100.400.318 100.400.320 100.400.321 100.400.328'],
  ['retry later', '100.400.007 100.400.051 100.400.071 100.400.091 100.400.130 100.400.139 100.400.143 100.400.145'],
  ['retry later', '100.400.150 100.400.152 100.400.324 100.400.325 100.400.327 000.400.200 900.400'],
  ['contact support', '100.400.312 100.400.322 100.400.323'],

  // The acquirer and the bank.
  ['other instrument', '800.100'],
  ['do not retry', '800.100.150 800.100.154 800.100.158 800.100.159 800.100.165 800.100.171 800.100.206 800.100.207'],
  ['do not retry', '800.100.403 800.100.5'],
  ['retry later', '800.100.155 800.100.161 800.100.162 800.100.163 800.100.176 800.100.179 800.100.203'],
  ['ask shopper', '800.100.153 800.100.157 800.100.166 800.100.192 800.100.195 800.100.196 800.100.197 800.100.198'],
  ['ask shopper', '800.100.199 800.100.201 800.100.204 800.100.205 800.100.402 800.150 800.400.1'],
  ['fix data', '800.100.156 800.100.167 800.100.173 800.100.174 800.100.175 800.100.177 900.100.202'],
  ['contact support', '800.100.164 800.100.190 800.100.191 800.400.105 000.400.030'],
  ['retry later', '800.500 900.100'],
  ['other instrument', '800.500.100'],
  ['contact support', '900.100.310 900.200'],

  // Our own risk rules and lists.
  ['do not retry', '800.110 800.2 800.3'],
  ['retry later', '800.120 800.300.500 800.300.501'],
  ['other instrument', '800.120.300 800.140 800.310'],
];

const adviceByBeginning: ReadonlyMap<string, Advice> = new Map(
  beginnings.flatMap(([advice, codes]) => codes.split(' ').map((beginning) => [beginning, advice] as const)),
);

/** The advice for a code of the catalogue; a code that no row covers is a fault of this table and stops the program at start. */
export function adviceFor(code: string): Advice {
  for (let length = code.length; length > 0; length -= 1) {
    const advice = adviceByBeginning.get(code.slice(0, length));
    if (advice) return advice;
  }
  throw new Error(`no retry advice for ${code}`);
}
