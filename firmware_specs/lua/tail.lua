
local STATUS = { [0] = "done", [1] = "refused", [2] = "failed" }
local REASON = {{"reason", "uint8", "text", 1}}
local code_of, asked = {}, {}

local function inside(tree, info, range, device)
  local kind = range(0, 1):uint()
  tree:add(f.kind, range(0, 1))
  local own = LINK[kind]
  if own then
    info.cols.info = own[1]
    show_all(tree, range, 1, own[2])
    if kind == 0x81 and range:len() > 6 then
      tree:add(f.code, range(6, 1))
      code_of.last = range(6, 1):uint()
    end
    return
  end
  local name, group = nil, nil
  if kind == 0x82 then name, group = "EVENT", "events"
  elseif kind == 0x83 then name, group = "RESULT", "results"
  elseif kind == 0x03 then name, group = "COMMAND", "commands"
  elseif kind == 0x84 then name, group = "LIVE", "live"
  elseif kind == 0x04 then name = "SET" end
  if name == nil then info.cols.info = "unknown kind" tree:add_proto_expert_info(odd) return end
  if kind == 0x04 then
    info.cols.info = name
    if range:len() < 3 then tree:add_proto_expert_info(odd) return end
    tree:add_le(f.number, range(1, 2))
    if device then show_all(tree, range, 3, device.outputs) end
    return
  end
  local at = 1
  if kind ~= 0x84 then
    if range:len() < 6 then tree:add_proto_expert_info(odd) return end
    tree:add_le(f.number, range(1, 4))
    at = 5
  elseif range:len() < 2 then tree:add_proto_expert_info(odd) return end
  local id = range(at, 1):uint()
  if kind == 0x83 then
    local command = asked[range(1, 4):le_uint()]
    info.cols.info = name .. " " .. (STATUS[id] or "?")
    if id ~= 0 then show_all(tree, range, 6, REASON)
    elseif device and command and device.results[command] then show_all(tree, range, 6, device.results[command][2]) end
    return
  end
  if kind == 0x03 then asked[range(1, 4):le_uint()] = id end
  local message = device and device[group][id]
  info.cols.info = name .. " " .. (message and message[1] or tostring(id))
  if message then
    tree:add(f.message, range(at, 1), message[1])
    show_all(tree, range, at + 1, message[2])
  end
end

function p.dissector(buffer, info, root)
  info.cols.protocol = "TABLE"
  local tree = root:add(p, buffer())
  tree:add(f.way, buffer(0, 1))
  local stuffed = buffer(1, buffer:len() - 2):bytes()
  local octets = buffer:len() > 2 and uncobs(stuffed) or nil
  if octets == nil or #octets < 5 then
    info.cols.info = "DAMAGED"
    tree:add_proto_expert_info(bad)
    return
  end
  local said = octets[#octets - 3] + octets[#octets - 2] * 256 + octets[#octets - 1] * 65536 + octets[#octets] * 16777216
  local ours = crc32(octets, #octets - 4)
  if ours < 0 then ours = ours + 4294967296 end
  local array = ByteArray.new()
  array:set_size(#octets - 4)
  for n = 1, #octets - 4 do array:set_index(n - 1, octets[n]) end
  local range = array:tvb("Frame")
  tree:add(f.crc_ok, ours == said)
  if ours ~= said then
    info.cols.info = "DAMAGED: CRC"
    tree:add_proto_expert_info(bad)
    return
  end
  inside(tree, info, range(), DEVICES[code_of.last or 0])
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, p)
