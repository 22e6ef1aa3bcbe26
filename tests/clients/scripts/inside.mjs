/* Runs inside the network namespace: serves the gateway's port from the socket that leads out of it, and runs a command. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { pipeTo } from './sockets.mjs'

const [socketPath, port, command, ...args] = process.argv.slice(2)
const gateway = createServer((socket) => pipeTo(socket, { path: socketPath })).listen(Number(port), '127.0.0.1')
await once(gateway, 'listening')
const child = spawn(command, args, { stdio: 'inherit' })
process.on('SIGTERM', () => child.kill('SIGKILL'))
child.on('exit', (code) => process.exit(code ?? 1))
