import OpenAI from 'openai-4'
import { runOlder } from './older-openai.mjs'

await runOlder(OpenAI)
