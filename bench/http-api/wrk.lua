-- Requests the paths of a file in rotation: wrk … -- FILE METHOD. Prints the counts as JSON in the last line.

function init(args)
  wrk.method = args[2]
  requests = {}
  for path in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format(nil, path)
  end
  turn = 0
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary)
  local errors = summary.errors
  io.write(
    string.format(
      '{"requests":%d,"micros":%d,"refused":%d,"broken":%d}\n',
      summary.requests,
      summary.duration,
      errors.status,
      errors.connect + errors.read + errors.write + errors.timeout
    )
  )
end
