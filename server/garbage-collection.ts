import { setFlagsFromString } from 'node:v8'

/**
 * Sets how V8 collects the objects of requests (https://v8.dev/blog/trash-talk). To be called before the first request.
 *
 * While the young generation is still small, most objects of running requests survive a collection of it, and V8 takes that for
 * a property of the code: it then allocates a part of each later relay among the old objects, which hold all the rest of that
 * relay until a full collection. Measured with 32 connections: each collection copied a fifth of what it found and took 5 ms;
 * without, it takes 1 ms. So little is left to copy then that sharing it with other threads costs more than the copying.
 */
export function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString('--no-parallel-scavenge')
}
