export type State = 'draft' | 'placed' | 'paid' | 'shipped' | 'cancelled'
export type Event = 'place' | 'pay' | 'ship' | 'cancel'

export const transitions: Record<State, Partial<Record<Event, State>>> = {
  draft: { place: 'placed', cancel: 'cancelled' },
  placed: { pay: 'paid', cancel: 'cancelled' },
  paid: { ship: 'shipped' },
  shipped: {},
  cancelled: {},
}
