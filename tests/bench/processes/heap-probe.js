import { writeFileSync } from 'node:fs'

/** Loaded into the gateway only for the soak (`node --import`): writes the used bytes of the heap once a second. */
const file = process.env.BENCH_HEAP_FILE
if (file) setInterval(() => writeFileSync(file, String(process.memoryUsage().heapUsed)), 1_000).unref()
