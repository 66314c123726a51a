// Watches: expressions over what the objects of a run are like at one moment, as `sequent dap` has them (`dap/watch.rs`):
// `atm.tries >= 2 && in(atm, Idle)`, `atm.state`, `atm.queue`. Attributes that only one object has need no object.
"use strict";
const Watch = (() => {
  /**
   * @typedef {{states: string, values: Object<string, string>, waiting: string[]}} State
   * @typedef {Map<string, State>} Moment the objects by name
   * @typedef {boolean | bigint | string} Datum
   * @typedef {(moment: Moment) => Datum} Term
   * @typedef {{kind: string, start: number, value?: any}} Token
   */

  /** Longer texts are not read, so that nothing nests too deeply. */
  const LONGEST = 500;

  const WORDS = { and: "&&", or: "||", implies: "->", mod: "%", not: "not" };
  const SAME = { "&": "&&", "|": "||", "=>": "->", "<>": "!=", "=": "==", "∧": "&&", "∨": "||", "→": "->", "⇒": "->", "≠": "!=", "≤": "<=", "≥": ">=", "¬": "!" };
  const TOKEN = /\s*(?:([\p{L}_][\p{L}\p{N}_]*(?:(?:\.|::|->)[\p{L}_][\p{L}\p{N}_]*)*)|(0[xX][0-9a-fA-F]+|\d+)(?![\p{L}\p{N}_.])|"([^"]*)"|'([^']*)'|(&&|\|\||->|=>|==|!=|<>|<=|>=|[&|=<>+\-*/%!(),∧∨→⇒≠≤≥¬]))/uy;

  /** @param {string} text @returns {Token[]} */
  function tokens(text) {
    const all = [];
    TOKEN.lastIndex = 0;
    for (let at = 0; text.slice(at).trim() !== ""; at = TOKEN.lastIndex) {
      const found = TOKEN.exec(text);
      if (!found) throw new Error(`\`${text.slice(at).trim()}\` is no expression`);
      const start = at;
      const [, name, number, double, single, sign] = found;
      const word = name && name.toLowerCase();
      if (word === "true" || word === "false") all.push({ start, kind: "value", value: word === "true" });
      else if (word && Object.hasOwn(WORDS, word)) all.push({ start, kind: WORDS[word] });
      else if (name) all.push({ start, kind: "name", value: name.split(/\.|::|->/) });
      else if (number) all.push({ start, kind: "value", value: whole(BigInt(number)) });
      else if (sign) all.push({ start, kind: SAME[sign] || sign });
      else all.push({ start, kind: "value", value: double ?? single });
    }
    return all;
  }

  /** A number of 64 bits. @param {bigint} value */
  function whole(value) {
    if (BigInt.asIntN(64, value) !== value) throw new Error("the number is too large");
    return value;
  }

  /** @param {Datum} value @returns {boolean} */
  function truth(value) {
    if (typeof value !== "boolean") throw new Error(`\`${value}\` is neither true nor false`);
    return value;
  }

  /** @param {Datum} value @returns {bigint} */
  function number(value) {
    if (typeof value !== "bigint") throw new Error(`\`${value}\` is no number`);
    return value;
  }

  /** @param {(one: bigint, other: bigint) => bigint} compute */
  const counted = (compute) => (/** @type {Datum} */ one, /** @type {Datum} */ other) => whole(compute(number(one), number(other)));
  /** @param {(one: bigint, other: bigint) => boolean} compare */
  const compared = (compare) => (/** @type {Datum} */ one, /** @type {Datum} */ other) => compare(number(one), number(other));
  /** @param {(one: bigint, other: bigint) => bigint} compute */
  const divided = (compute) =>
    counted((one, other) => {
      if (other === 0n) throw new Error("the number is too large");
      return compute(one, other);
    });

  /** @type {Object<string, (one: Datum, other: Datum) => Datum>} */
  const OPERATORS = {
    "->": (one, other) => [!truth(one), truth(other)].includes(true),
    "||": (one, other) => [truth(one), truth(other)].includes(true),
    "&&": (one, other) => ![truth(one), truth(other)].includes(false),
    "==": (one, other) => one === other,
    "!=": (one, other) => one !== other,
    "<": compared((one, other) => one < other),
    "<=": compared((one, other) => one <= other),
    ">": compared((one, other) => one > other),
    ">=": compared((one, other) => one >= other),
    "+": counted((one, other) => one + other),
    "-": counted((one, other) => one - other),
    "*": counted((one, other) => one * other),
    "/": divided((one, other) => one / other),
    "%": divided((one, other) => one % other),
  };

  /** What reads as a number is one. @param {string} text @returns {Datum} */
  function datum(text) {
    if (text === "true" || text === "false") return text === "true";
    return /^[+-]?\d+$/.test(text) ? BigInt(text.replace("+", "")) : text;
  }

  /** @param {string} name @param {Moment} moment */
  function objectOf(name, moment) {
    const found = moment.get(name);
    if (!found) throw new Error(`no object is called \`${name}\``);
    return found;
  }

  /** @param {string[]} parts @param {Moment} moment @returns {Datum} */
  function lookUp(parts, moment) {
    const last = parts[parts.length - 1];
    if (parts.length === 1) {
      const all = [...moment.values()].filter((state) => Object.hasOwn(state.values, last));
      if (all.length === 1) return datum(all[0].values[last]);
      const own = moment.get(last);
      if (own) return own.states;
      throw new Error(all.length === 0 ? `no object and no attribute is called \`${last}\`` : `several objects have \`${last}\`: write OBJECT.${last}`);
    }
    const name = parts.slice(0, -1).join(".");
    const state = objectOf(name, moment);
    if (Object.hasOwn(state.values, last)) return datum(state.values[last]);
    if (last === "state") return state.states;
    if (last === "queue") return BigInt(state.waiting.length);
    throw new Error(`\`${name}\` has no attribute \`${last}\``);
  }

  /** Whether a state is active; they are written with brackets and commas. @param {string} object @param {string} state @param {Moment} moment */
  function isIn(object, state, moment) {
    return objectOf(object, moment).states.split(/[(),.]/).some((word) => word.trim() === state);
  }

  /** Reads an expression; fails with a message. @param {string} text @returns {Term} */
  function parse(text) {
    if (text.length > LONGEST) throw new Error("the expression is too long");
    const all = tokens(text);
    let at = 0;
    /** @param {string[]} kinds */
    const take = (...kinds) => (at < all.length && kinds.includes(all[at].kind) ? all[at++] : null);
    const wrong = () => new Error(at < all.length ? `\`${text.slice(all[at].start).trim()}\` is no expression` : `something is missing after \`${text.trim()}\``);
    /** @param {string} kind */
    const expect = (kind) => {
      if (!take(kind)) throw wrong();
    };
    /** @param {Token | null} token @param {Term} left @param {Term} right @returns {Term} */
    const joined = (token, left, right) => (moment) => OPERATORS[token.kind](left(moment), right(moment));
    /** Operands joined to the left. @param {() => Term} operand @param {string[]} kinds */
    const chain = (operand, ...kinds) => () => {
      let left = operand();
      for (let token = take(...kinds); token; token = take(...kinds)) left = joined(token, left, operand());
      return left;
    };
    /** @param {string} kind @param {() => Term} inner @param {() => Term} other @returns {() => Term} */
    const negated = (kind, inner, other) => () => {
      if (!take(kind)) return other();
      const term = inner();
      return (moment) => !truth(term(moment));
    };
    /** @returns {Term} */
    const atom = () => {
      const token = take("value", "name", "(");
      if (!token) throw wrong();
      if (token.kind === "value") return () => token.value;
      if (token.kind === "(") {
        const inner = implication();
        expect(")");
        return inner;
      }
      if (!take("(")) return (moment) => lookUp(token.value, moment);
      const object = take("name");
      const state = take(",") && take("name");
      if (token.value.join(".") !== "in" || !object || !state || !take(")")) throw new Error("the only function is `in(OBJECT, STATE)`");
      return (moment) => isIn(object.value.join("."), state.value.join("."), moment);
    };
    /** @returns {Term} */
    const signed = () => {
      if (!take("-")) return atom();
      const term = prefixed();
      return (moment) => whole(-number(term(moment)));
    };
    /** @returns {Term} */
    const prefixed = () => negated("!", prefixed, signed)();
    const sum = chain(chain(prefixed, "*", "/", "%"), "+", "-");
    /** @returns {Term} */
    const comparison = () => {
      const left = sum();
      const token = take("==", "!=", "<", "<=", ">", ">=");
      return token ? joined(token, left, sum()) : left;
    };
    /** @returns {Term} */
    const negation = () => negated("not", negation, comparison)();
    const disjunction = chain(chain(negation, "&&"), "||");
    /** @returns {Term} */
    const implication = () => {
      const left = disjunction();
      const token = take("->");
      return token ? joined(token, left, implication()) : left;
    };
    const term = implication();
    if (at < all.length) throw wrong();
    return term;
  }

  return { parse };
})();
