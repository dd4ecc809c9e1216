#pragma once
once __FILE__ __LINE__
