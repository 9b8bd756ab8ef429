import { transitions, type Event, type State } from './states'

/** An order and where it stands. */
export class Order {
  #state: State = 'draft'

  get state(): State {
    return this.#state
  }

  can(event: Event): boolean {
    return transitions[this.#state][event] !== undefined
  }

  send(event: Event): State {
    const next = transitions[this.#state][event]
    if (next === undefined) throw new Error(`${event} is not possible while ${this.#state}`)
    this.#state = next
    return next
  }
}
