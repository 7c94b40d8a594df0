import type { Rule } from '../spec/rules/rule.ts';

/** Some of the rules of a catalogue. A bit for each: a payment joins the sets of all its parameters. */
export class RuleSet {
  /** Whole numbers of 32 bits each. A typed array of this size would keep its bytes outside of the young generation. */
  readonly #words: number[];

  private constructor(words: number[]) {
    this.#words = words;
  }

  /** The rules of the list that are meant. All sets of one list can be joined. */
  static of(list: readonly Rule[], isMeant: (rule: Rule) => boolean): RuleSet {
    const words = Array.from({ length: Math.ceil(list.length / 32) }, () => 0);
    for (const [at, rule] of list.entries()) if (isMeant(rule)) (words[at >>> 5] as number) |= 1 << (at & 31);
    return new RuleSet(words);
  }

  copy(): RuleSet {
    return new RuleSet(this.#words.slice());
  }

  /** Adds the rules of another set. */
  add(other: RuleSet): void {
    const [words, others] = [this.#words, other.#words];
    for (let at = 0; at < words.length; at += 1) (words[at] as number) |= others[at] as number;
  }

  /** The rules of the list that are in this set and in the one of those in force, in the order of the list. */
  inForce(list: readonly Rule[], inForce: RuleSet): readonly Rule[] {
    const found: Rule[] = [];
    for (let word = 0; word < this.#words.length; word += 1) {
      const both = (this.#words[word] as number) & (inForce.#words[word] as number);
      for (let at = 0; both >>> at !== 0 && at < 32; at += 1) if ((both >>> at) & 1) found.push(list[32 * word + at] as Rule);
    }
    return found;
  }
}
