/** What is there already, or will be: whoever asks waits only if it is a promise, since each promise of a relay costs. */
export type Ready<Value> = Value | Promise<Value>
